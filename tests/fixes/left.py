"""The cases that the fixes do not mend, and why."""

from __future__ import annotations

REWRITE = "needs other code, not an edit: "
ELSEWHERE = "the mend is a choice that the program does not show: "

LEFT: dict[str, str] = {
    # cases
    "landmark-positions-cast-to-long-for-lookup": REWRITE + "an interpolation in place of a lookup",
    # more
    "losses-backwarded-by-map-over-heads": "the backward is called through map",
    "maml-inner-grad-of-unused-head": REWRITE + "allow_unused and what follows from it",
    "multi-head-outputs-normalised-through-unbind": REWRITE + "the views have to be collected anew",
    "smart-noise-from-detached-embeddings-of-wrong-tensor": ELSEWHERE + "which embeddings are meant",
    "unscale-called-by-logger-and-by-clip": ELSEWHERE + "which of the two calls stays",
    # more_silent
    "kge-embeddings-normalised-between-loss-and-backward": ELSEWHERE
    + "whether the edit comes before the forward or after the step",
    "accuracy-loss-given-requires-grad": REWRITE + "a loss that has a gradient",
    "clip-callback-runs-after-optimizer-step": "the order lies in a list of callbacks",
    "hidden-units-zeroed-through-numpy-view": REWRITE + "a mask in torch",
    "keypoint-term-through-argmax-of-heatmap": REWRITE + "a soft argmax",
    "penalty-read-with-data-numpy-index": REWRITE + "the lookup in torch",
    "spectrogram-loss-goes-through-numpy": REWRITE + "the transform in torch",
    # more_real
    "activation-hook-output-scaled-in-place": REWRITE + "what a hook keeps has to be cloned in the hook",
    "experience-namedtuple-batch-zip-star-carries-value-graph": REWRITE
    + "the values computed anew from the states of the batch",
    "head-swapped-for-transfer-after-optimizer-in-builder-chain": "the order lies in a chain of calls",
    "loss-dict-popped-and-summed-after-item": REWRITE + "the sum taken before the losses become numbers",
    "soft-threshold-function-writes-its-input": REWRITE + "a result of its own, since the gradient reads the old input",
    "sparse-gate-hard-mask-of-comparison-kills-gate-gradient": REWRITE + "a straight-through estimate of the gradient",
    "loss-on-predicted-classes-has-no-graph": REWRITE + "a loss of the scores in place of the classes",
    "partial-update-functions-step-shared-encoder-early": "the calls that step are bound beforehand and run in a loop",
    "adapters-created-lazily-after-optimizer": ELSEWHERE
    + "where the lazily made parameters are given to the optimizer",
    "gumbel-hard-sample-indexes-codebook-by-argmax": REWRITE + "a product with the one-hot sample in place of a lookup",
    "score-model-penalty-on-numbers-of-gradient-norm": REWRITE + "the penalty in torch",
    "weight-tying-through-data-copy-breaks-tie": ELSEWHERE + "which of the two weights is the tied one",
    "worker-shares-gradients-with-global-model-by-reference": ELSEWHERE
    + "the early return that was meant for shared memory",
    "config-flag-clip-runs-only-when-optimizer-has-stepped": ELSEWHERE + "a hook whose other method is to be called",
    "inner-optimizer-of-meta-learner-steps-outer-parameters-in-place": ELSEWHERE
    + "that the inner fit is to work on a copy of the network",
    "checkpointed-block-recomputed-with-stepped-weights": ELSEWHERE
    + "that the gradient of the old weights is wanted; the mend computes the second loss with the new ones",
    "consistency-loss-printed-but-never-backward": ELSEWHERE + "whether the loss is to be trained or only watched",
    "two-result-function-with-one-gradient-argument": REWRITE + "the derivative of the second result",
}
