"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const [stage, scene, tip, play] = ["stage", "scene", "tip", "play"].map(at);
const sliders = [...document.querySelectorAll("input")];
const dark = matchMedia("(prefers-color-scheme: dark)");
const made = new Map();
const levels = new Map();
let shown = 0;
let timer = 0;

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function picture(k, palette) {
  const [head, tail] = data.images[k];
  return "data:image/png;base64," + head + data.palettes[palette] + tail;
}

// A layer is a list of shapes: [look, path, x, y, ...], or [-1, image, x, y, width, height, opacity].
function layer(k) {
  if (made.has(k)) return made.get(k);
  const { clip, shapes } = data.layers[k];
  const group = element("g", clip < 0 ? {} : { "clip-path": `url(#clip${clip})` });
  for (const [look, what, ...places] of shapes) {
    if (look < 0) {
      const [x, y, width, height, opacity] = places;
      const href = picture(what, dark.matches ? "dark" : "light");
      group.append(element("image", { href, x, y, width, height, opacity, preserveAspectRatio: "none" }));
      continue;
    }
    for (let i = 0; i < places.length; i += 2) {
      const attributes = { class: "look" + look, d: data.paths[what] };
      if (places[i] || places[i + 1]) attributes.transform = `translate(${places[i]} ${places[i + 1]})`;
      group.append(element("path", attributes));
    }
  }
  made.set(k, group);
  return group;
}

function show() {
  shown = sliders.reduceRight((sum, slider) => sum * (+slider.max + 1) + +slider.value, 0);
  const frame = data.frames[shown];
  scene.replaceChildren(...frame.layers.map(layer));
  sliders.forEach((slider, k) => {
    const text = data.sliders[k].values[+slider.value];
    slider.setAttribute("aria-valuetext", text);
    at("value" + k).textContent = text;
  });
  at("caption").textContent = frame.caption;
  tip.hidden = true;
}

function go(slider, value) {
  slider.value = value;
  show();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "▶";
  play.setAttribute("aria-label", "Play");
}

function toggle() {
  if (timer) return stop();
  const slider = sliders[0];
  if (+slider.value === +slider.max) go(slider, 0);
  play.textContent = "❚❚";
  play.setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    if (+slider.value === +slider.max) stop();
    else go(slider, +slider.value + 1);
  }, data.pause);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const chosen = sliders.includes(document.activeElement) ? document.activeElement : sliders[0];
  const second = sliders[1] ?? chosen;
  const moves = {
    ArrowLeft: () => go(chosen, +chosen.value - 1),
    ArrowRight: () => go(chosen, +chosen.value + 1),
    ArrowDown: () => go(second, +second.value - 1),
    ArrowUp: () => go(second, +second.value + 1),
    Home: () => go(chosen, 0),
    End: () => go(chosen, chosen.max),
    " ": toggle,
  };
  if (!(event.key in moves) || (event.key === " " && event.target === play)) return;
  event.preventDefault();
  moves[event.key]();
});

// What is at the pointer -------------------------------------------------------------------------------------
function number(value) {
  return String(+value.toPrecision(3)).replace("-", "−");
}

async function levelsOf(k) {
  if (!levels.has(k)) {
    const image = new Image();
    image.src = picture(k, "levels");
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    levels.set(k, context.getImageData(0, 0, image.width, image.height));
  }
  return levels.get(k);
}

function inField(pixels, shape, x, y) {
  const column = Math.floor(((x - shape[2]) / shape[4]) * pixels.width);
  const row = Math.floor(((y - shape[3]) / shape[5]) * pixels.height);
  if (row < 0 || column < 0 || row >= pixels.height || column >= pixels.width) return "";
  const level = pixels.data[4 * (row * pixels.width + column)];
  const meaning = data.levels[level];
  if (typeof meaning === "string") return meaning;
  const end = level === 0 ? " ≤ " : level === data.levels.length - 1 ? " ≥ " : " = ";
  return data.score + end + number(meaning);
}

async function textAt(x, y) {
  const frame = data.frames[shown];
  const plane = data.planes.findIndex((p) => x >= p[0] && y >= p[1] && x <= p[0] + p[2] && y <= p[1] + p[3]);
  if (plane < 0) return "";
  const places = data.places[frame.places[plane]];
  let [nearest, best] = [-1, data.reach];
  for (let i = 0; i < places.length; i += 2) {
    const far = Math.hypot(places[i] - x, places[i + 1] - y);
    if (far < best) [nearest, best] = [i / 2, far];
  }
  if (nearest >= 0) {
    const score = frame.scores[plane][nearest];
    return data.points[nearest] + (score === null || score === undefined ? "" : `, s = ${number(score)}`);
  }
  if (frame.curves.length) {
    const share = (x - data.planes[plane][0]) / data.planes[plane][2];
    const said = frame.curves.map((curve) => {
      const place = share * (curve.length - 1);
      const left = Math.min(Math.floor(place), curve.length - 2);
      return number(curve[left] + (place - left) * (curve[left + 1] - curve[left]));
    });
    return `s(x) = ${said.join(", ")}`;
  }
  const shapes = frame.layers.flatMap((k) => (data.layers[k].clip === plane ? data.layers[k].shapes : []));
  const field = shapes.find((shape) => shape[0] < 0);
  return field ? inField(await levelsOf(field[1]), field, x, y) : "";
}

async function point(event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.getScreenCTM().inverse());
  const text = await textAt(place.x, place.y);
  tip.textContent = text;
  tip.hidden = !text;
  const figure = stage.parentElement.getBoundingClientRect();
  const left = Math.min(event.clientX - figure.left + 14, figure.width - tip.offsetWidth);
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, event.clientY - figure.top - 30)}px`;
}

stage.addEventListener("pointermove", point);
stage.addEventListener("pointerdown", point);
stage.addEventListener("pointerleave", () => (tip.hidden = true));
play.addEventListener("click", toggle);
sliders.forEach((slider) => slider.addEventListener("input", () => (stop(), show())));
dark.addEventListener("change", () => (made.clear(), show()));
sliders[0].value = parseInt(location.hash.slice(1)) || 0;
show();
