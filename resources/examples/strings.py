"""Classify words by a kernel that counts common pieces of two letters, and draw their map in words.svg."""

import kernelviz

data = kernelviz.dataset("spelling(n=24)")
kernel = "spectrum(length=2, normalised=true)"
model = kernelviz.fit(data.X, data.z, kernel=kernel, algorithm="soft-margin-svm(C=10)")
print("score of bananana:", model.score(["bananana"]).round(2))

pca = kernelviz.kernel_pca(data, kernel=kernel, components=2)
print("its place on the map:", pca.project(["bananana"])[0].round(2))
kernelviz.render("words.svg", data, kernel=kernel, size="150x120mm", formula=False)
