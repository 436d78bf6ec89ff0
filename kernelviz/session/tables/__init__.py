"""Tables of points: reading, choosing columns, preparing, writing, one module for each format.

>>> table = formats.read("iris.csv")
>>> data = columns.to_data(table, columns.choose(table, "sepal length,petal width,species"))"""

FORMATS = "CSV, svmlight or npz"  # The formats of files of points, for help texts.
