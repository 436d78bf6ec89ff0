"""Pictures of everything, drawn with QtGui and without any widget.

A scene is a frozen tree of nodes; plots and planes among them have layers. One painter lays a scene out in
a rectangle of points, paints it on screen or on paper, and says what is at a place. Insight views, the
canvas, figures and films all use it."""
