"""Scripts that complete command lines of kernelviz in bash, zsh and fish.

Each has the whole command line in it, so that completing starts no Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kernelviz.cli.completed import Argument, CommandLine, CommandSyntax


def _quoted(text: str, inner: str = r"'\''") -> str:
    """Return a text between single quotes. inner: what stands for a single quote in it."""
    return "'" + text.replace("'", inner) + "'"


def _head(shell: str) -> str:
    return f"# Completion of kernelviz for {shell}, written by: kernelviz completion {shell}\n"


# bash ---------------------------------------------------------------------------------------------------
def bash(line: CommandLine) -> str:
    """Return the script for bash 3.2 and later."""
    lists = "\n".join(f"    local {name}={_quoted(' '.join(words))}" for name, words in line.words.items())
    cases = "\n".join(_bash_case(command) for command in line.program.walk())
    parents = "|".join(part.path[0] for part in line.program.parts if part.parts)
    return f"""{_head("bash")}_kernelviz() {{
    local IFS=$' \\t\\n' word=$2 before=$3 command=${{COMP_WORDS[1]}} options='' words='' files='' file
{lists}
    if [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    if [[ $word == = ]]; then before=${{COMP_WORDS[COMP_CWORD-1]}} word=''; fi
    if ((COMP_CWORD == 1)); then command=''; fi
    case $command in {parents})
        if ((COMP_CWORD > 2)); then command+=" ${{COMP_WORDS[2]}}"; fi ;;
    esac
    case $command in
{cases}
    esac
    if [[ $word == -* && $options ]]; then words=$options files=''; fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")
    fi
}}
complete -F _kernelviz kernelviz
"""


def _bash_case(command: CommandSyntax) -> str:
    """Return the branch of a command: the words that can follow it and each of its options."""
    options = " ".join(name for option in command.options for name in option.names)
    lines = [f"    {_quoted(' '.join(command.path))})", f"        options={_quoted(options)}"]
    lines += [f"        {_bash_values(command.parts, command.positionals)}"]
    groups: dict[str, list[str]] = {}
    for option in command.options:
        if option.takes_value:
            groups.setdefault(_bash_values((), [option]), []).extend(option.names)
    if groups:
        branches = [f"            {'|'.join(names)}) options='' {how} ;;" for how, names in groups.items()]
        lines += ["        case $before in", *branches, "        esac"]
    return "\n".join([*lines, "        ;;"])


def _bash_values(parts: Iterable[CommandSyntax], arguments: Iterable[Argument]) -> str:
    """Return the assignments of the words that may come next: commands, and the values of arguments."""
    arguments = list(arguments)
    lists = [f"${argument.words}" for argument in arguments if argument.words]
    words = " ".join([*(part.path[-1] for part in parts), *lists])
    files = "1" if any(argument.files for argument in arguments) else "''"
    return f'words="{words}" files={files}'


# zsh ----------------------------------------------------------------------------------------------------
def zsh(line: CommandLine) -> str:
    """Return the script for zsh: a file for a folder of $fpath, or to be evaluated after compinit."""
    commands = list(line.program.walk())
    pairs = {(a.words, a.files) for c in commands for a in (*c.options, *c.positionals) if a.words}
    functions = "\n".join(
        [*(_zsh_list(name, words.items()) for name, words in line.words.items())]
        + [_zsh_with_files(name) for name, files in sorted(pairs) if files]
        + [_zsh_list("_".join(c.path) + "_part", _parts(c)) for c in commands if c.parts]
    )
    parents = "|".join(part.path[0] for part in line.program.parts if part.parts)
    cases = "\n".join(_zsh_case(command) for command in commands)
    return f"""#compdef kernelviz
{_head("zsh")}{functions}
_kernelviz() {{
    local command=''
    if ((CURRENT > 2)); then
        command=$words[2]
        shift words; ((CURRENT--))
        if [[ $command == ({parents}) ]] && ((CURRENT > 2)); then
            command+=" $words[2]"
            shift words; ((CURRENT--))
        fi
    fi
    case $command in
{cases}
    esac
}}
if [[ $funcstack[1] == _kernelviz ]]; then _kernelviz "$@"; else compdef _kernelviz kernelviz; fi
"""


def _parts(command: CommandSyntax) -> Iterator[tuple[str, str]]:
    """Yield the commands below another, each with its line."""
    return ((part.path[-1], part.about) for part in command.parts)


def _zsh_list(name: str, words: Iterable[tuple[str, str]]) -> str:
    """Return a function that offers words with a line about each."""
    escaped = [word.replace(":", r"\:") + (f":{about}" if about else "") for word, about in words]
    found = " ".join(map(_quoted, escaped))
    return f"_kernelviz_{name}() {{ local -a found=({found}); _describe {name} found }}"


def _zsh_with_files(name: str) -> str:
    """Return a function that offers the words of a list, and files."""
    own = f"_kernelviz_{name}"
    return f"{own}_or_file() {{ _alternative '{name}:{name}:{own}' 'files:file:_files' }}"


def _zsh_case(command: CommandSyntax) -> str:
    """Return the branch of a command."""
    specs = []
    for option in command.options:
        about = option.help.replace("[", r"\[").replace("]", r"\]")
        value = f":{option.metavar.replace(':', ' ')}:{_zsh_action(option)}" if option.takes_value else ""
        # With = at its end a value may follow the name after = or after a blank.
        names = [f"{name}=" if value and name.startswith("--") else name for name in option.names]
        specs += [_quoted(f"*{name}[{about}]{value}") for name in names]
    if command.parts:
        specs.append(f"'1:command:_kernelviz_{'_'.join(command.path)}_part'")
    specs += [
        _quoted(f"*:{argument.metavar.replace(':', ' ')}:{_zsh_action(argument)}")
        for argument in command.positionals
    ]
    lines = " \\\n            ".join(["_arguments", *specs])
    return f"        {_quoted(' '.join(command.path))})\n            {lines} ;;"


def _zsh_action(argument: Argument) -> str:
    """Return what offers the values of an argument; a blank offers nothing."""
    if not argument.words:
        return "_files" if argument.files else " "
    return f"_kernelviz_{argument.words}{'_or_file' if argument.files else ''}"


# fish ---------------------------------------------------------------------------------------------------
def fish(line: CommandLine) -> str:
    """Return the script for fish 3 and later."""
    lists = (
        f"function __kernelviz_{name}\n    printf '%s\\t%s\\n' "
        + " ".join(_fish_quoted(text) for pair in words.items() for text in pair)
        + "\nend\n"
        for name, words in line.words.items()
    )
    lines = (text for command in line.program.walk() for text in _fish_lines(command))
    return f"""{_head("fish")}function __kernelviz_at --description 'Whether a command begins the line'
    set -l words (commandline -opc)
    contains -- "$argv[1]" "$words[2]" "$words[2..3]"
    and test "$argv[2]" != alone -o (count $words) -eq 2
end
{"".join(lists)}{chr(10).join(lines)}
"""


def _fish_lines(command: CommandSyntax) -> Iterator[str]:
    """Yield what completes one command: its options, the commands below it, its values."""
    alone = " alone" if command.parts and command.path else ""
    at = _fish_quoted(f"__kernelviz_at {_fish_quoted(' '.join(command.path))}{alone}")
    begin = f"complete -c kernelviz -n {at}"
    if not any(argument.files for argument in command.positionals):
        yield f"{begin} -f"
    for name, about in _parts(command):
        yield f"{begin} -a {name} -d {_fish_quoted(about)}"
    for argument in command.positionals:
        yield from [f"{begin} -a '(__kernelviz_{argument.words})'"] if argument.words else []
    for option in command.options:
        names = " ".join(f"-{'l' if n.startswith('--') else 's'} {n.lstrip('-')}" for n in option.names)
        value = f" -r {'-F' if option.files else '-f'}" if option.takes_value else ""
        value += f" -a '(__kernelviz_{option.words})'" if option.words else ""
        yield f"{begin} {names}{value} -d {_fish_quoted(option.help)}"


def _fish_quoted(text: str) -> str:
    """Return a text between single quotes for fish."""
    return _quoted(text.replace("\\", r"\\"), r"\'")
