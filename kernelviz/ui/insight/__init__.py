"""Widgets of the views into the model besides the plane; a point that is highlighted in one is highlighted
in all.

`area` is the place of the views, `scene_view` shows any view of `scene/insight`, and the inspector and the
table are widgets of their own."""
