"""
Words that tell two kinds of text apart
=======================================

A sparse matrix of words, a pipeline, and an L1 penalty that keeps a handful of them. The texts are
made up: each draws its words from a common stock and from one of two subjects.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from banditcd import LogisticRegression

rng = np.random.default_rng(0)
common = [f"word{k}" for k in range(2000)]
garden = ["seed", "soil", "rose", "water", "spring", "prune", "compost", "leaf", "root", "bloom"]
kitchen = ["salt", "oven", "dough", "boil", "pepper", "sauce", "knife", "flour", "simmer", "roast"]


def text(subject: list[str]) -> str:
    """Return a text of 60 words, none to three of which belong to its subject."""
    count = rng.integers(0, 4)
    words = rng.choice(common, 60 - count).tolist() + rng.choice(subject, count).tolist()
    return " ".join(rng.permutation(words))


labels = rng.integers(0, 2, 1500)
texts = [text(kitchen if label else garden) for label in labels]
train, test, y_train, y_test = train_test_split(texts, labels, random_state=0)

model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=3.0, l1_ratio=1.0))
model.fit(train, y_train)
print(f"accuracy {model.score(test, y_test):.3f} with {(model[-1].coef_ != 0).sum()} words")

# %%
# The words with the largest coefficients.

names, coef = model[0].get_feature_names_out(), model[-1].coef_[0]
best = np.argsort(np.abs(coef))[-20:]
best = best[np.argsort(coef[best])]
figure, axes = plt.subplots(figsize=(6, 5))
axes.barh(names[best], coef[best], color=np.where(coef[best] > 0, "tab:orange", "tab:green"))
axes.set(xlabel="coefficient", title="garden (left) and kitchen (right)")
figure.tight_layout()
plt.show()
