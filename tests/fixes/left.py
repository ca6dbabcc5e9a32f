"""The cases that the fixes do not mend, and why."""

from __future__ import annotations

REWRITE = "needs other code, not an edit: "
ELSEWHERE = "the mend is a choice that the program does not show: "

LEFT: dict[str, str] = {
    # cases
    "adder-layer-backward-without-return": ELSEWHERE + "what the missing return gives back",
    "box-regression-unpacked-with-data": "the old Variable(...) also cuts the graph, which the machine does not model",
    "example-weights-absent-from-lookahead-graph": REWRITE + "functional_call with the looked-ahead weights",
    "ganomaly-latent-loss-on-features-of-detached-fake": ELSEWHERE + "the features of the attached pass are to be used",
    "landmark-positions-cast-to-long-for-lookup": REWRITE + "an interpolation in place of a lookup",
    "last-parameter-group-never-appended": ELSEWHERE + "the group that is built and never added",
    "learner-harvests-critic-gradients-by-reference": ELSEWHERE + "freezing the critic around the actor's pass",
    # more
    "batch-dictionary-normalised-after-argparse-choice": "the break lies in a chain of conversions",
    "iterable-dataset-yields-augmentation-with-graph": "computed in a generator, before its loop",
    "losses-backwarded-by-map-over-heads": "the backward is called through map",
    "maml-inner-grad-of-unused-head": REWRITE + "allow_unused and what follows from it",
    "mixing-matrix-as-cached-property": REWRITE + "a property without its cache",
    "multi-head-outputs-normalised-through-unbind": REWRITE + "the views have to be collected anew",
    "neural-ode-adjoint-grad-of-detached-state": ELSEWHERE + "where the new leaf begins",
    "replay-stores-policy-outputs-with-graph": ELSEWHERE + "the buffer has to be cleared",
    "smart-noise-from-detached-embeddings-of-wrong-tensor": ELSEWHERE + "which embeddings are meant",
    "sparse-coding-codes-replaced-by-item-list": "the break lies in a chain of conversions",
    "unscale-called-by-logger-and-by-clip": ELSEWHERE + "which of the two calls stays",
    # more_silent
    "accuracy-loss-given-requires-grad": REWRITE + "a loss that has a gradient",
    "clip-callback-runs-after-optimizer-step": "the order lies in a list of callbacks",
    "features-made-parameter-inside-forward": REWRITE + "the parameter belongs into the constructor",
    "hidden-units-zeroed-through-numpy-view": REWRITE + "a mask in torch",
    "keypoint-term-through-argmax-of-heatmap": REWRITE + "a soft argmax",
    "penalty-read-with-data-numpy-index": REWRITE + "the lookup in torch",
    "spectrogram-loss-goes-through-numpy": REWRITE + "the transform in torch",
    "wgan-critic-loss-reaches-generator": "the sample has no name that could be detached",
    # more_real
    "activation-hook-output-scaled-in-place": REWRITE + "what a hook keeps has to be cloned in the hook",
    "loss-on-predicted-classes-has-no-graph": REWRITE + "a loss of the scores in place of the classes",
    "partial-update-functions-step-shared-encoder-early": "the calls that step are bound beforehand and run in a loop",
    "adapters-created-lazily-after-optimizer": ELSEWHERE
    + "where the lazily made parameters are given to the optimizer",
    "gumbel-hard-sample-indexes-codebook-by-argmax": REWRITE + "a product with the one-hot sample in place of a lookup",
    "score-model-penalty-on-numbers-of-gradient-norm": REWRITE + "the penalty in torch",
    "weight-tying-through-data-copy-breaks-tie": ELSEWHERE + "which of the two weights is the tied one",
    "worker-shares-gradients-with-global-model-by-reference": ELSEWHERE
    + "the early return that was meant for shared memory",
    "config-flag-clip-runs-only-when-optimizer-has-stepped": "no kind of edit fits yet",
    "eval-metrics-appended-attached-in-validation-epoch-end": "the edits offered do not reach what is wrong",
    "fsdp-style-flat-parameter-view-updated-in-place": "the edits offered do not reach what is wrong",
    "inner-optimizer-of-meta-learner-steps-outer-parameters-in-place": "the edits offered do not reach what is wrong",
    "loss-history-plotted-with-matplotlib-like-function": "the edits offered do not reach what is wrong",
    "adversarial-feature-detached-in-wrong-branch": "no kind of edit fits yet",
    "optimizer-for-latents-holds-copies": "no kind of edit fits yet",
    "checkpointed-block-recomputed-with-stepped-weights": "the edits offered do not reach what is wrong",
    "gradient-hook-on-detached-activations": "no kind of edit fits yet",
    "linear-function-returns-weight-gradient-transposed": "no kind of edit fits yet",
    "penalty-gradient-through-reentrant-checkpoint": "no kind of edit fits yet",
    "two-result-function-with-one-gradient-argument": "no kind of edit fits yet",
}
