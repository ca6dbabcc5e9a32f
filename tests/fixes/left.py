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
    "sam-second-pass-adds-onto-first-loss": ELSEWHERE + "the sum has to start at zero again",
    "sam-second-pass-differentiates-the-first-loss": ELSEWHERE + "a loss that is computed and not assigned",
    # more
    "batch-dictionary-normalised-after-argparse-choice": "the break lies in a chain of conversions",
    "chain-of-agents-critics-stepped-in-loop": ELSEWHERE + "one critic step for all agents, or the values anew",
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
    "fused-adamw-between-shared-forward-and-second-backward": "one statement computes both losses",
    "generator-loss-on-detached-sample-of-shared-attribute": "without the detach the discriminator's step is in the way",
    "hidden-units-zeroed-through-numpy-view": REWRITE + "a mask in torch",
    "keypoint-term-through-argmax-of-heatmap": REWRITE + "a soft argmax",
    "latent-reshaped-after-requires-grad": ELSEWHERE + "whose gradient is meant",
    "penalty-read-with-data-numpy-index": REWRITE + "the lookup in torch",
    "spectrogram-loss-goes-through-numpy": REWRITE + "the transform in torch",
    "wgan-critic-loss-reaches-generator": "the sample has no name that could be detached",
    # more_real
    "activation-hook-output-scaled-in-place": "no kind of edit fits yet",
    "contrastive-loss-written-row-by-row-into-buffer": "the edits offered do not reach what is wrong",
    "cosine-schedule-class-steps-before-training": "the edits offered do not reach what is wrong",
    "diffusion-ema-copy-given-to-optimizer": ELSEWHERE + "which optimizer is meant",
    "expert-heads-in-plain-dictionary": ELSEWHERE + "a container of modules in place of the plain one",
    "generator-step-uses-discriminator-optimizer-copy": ELSEWHERE + "which optimizer is meant",
    "lbfgs-closure-never-clears": "no kind of edit fits yet",
    "loss-on-predicted-classes-has-no-graph": "no kind of edit fits yet",
    "maml-inner-loop-rebinds-loop-variable": "no kind of edit fits yet",
    "normal-policy-distribution-built-in-constructor": "no kind of edit fits yet",
    "partial-update-functions-step-shared-encoder-early": "no kind of edit fits yet",
    "style-encoder-not-given-to-optimizer": ELSEWHERE + "which parameters to add to the optimizer",
    "trainer-subclass-compute-loss-returns-float": "no kind of edit fits yet",
    "word-vectors-frozen-although-fine-tuning-was-meant": ELSEWHERE + "whether the frozen weight is meant",
    "adapters-created-lazily-after-optimizer": ELSEWHERE + "which parameters to add to the optimizer",
    "centre-loss-centres-in-forgotten-optimizer": ELSEWHERE + "which parameters to add to the optimizer",
    "cyclegan-trainer-discriminator-loss-before-generator-update": "no kind of edit fits yet",
    "early-exit-classifiers-in-tuple-attribute": ELSEWHERE + "a container of modules in place of the plain one",
    "fbsde-solver-initial-value-parameter-moved-by-multiplication": ELSEWHERE
    + "a container of modules in place of the plain one",
    "gumbel-hard-sample-indexes-codebook-by-argmax": "no kind of edit fits yet",
    "multi-gpu-style-losses-dict-reduced-by-item": "no kind of edit fits yet",
    "multi-task-uncertainty-weights-as-plain-tensors": ELSEWHERE + "a container of modules in place of the plain one",
    "nerf-fine-network-left-out-of-grad-vars": ELSEWHERE + "which parameters to add to the optimizer",
    "score-model-penalty-on-numbers-of-gradient-norm": "no kind of edit fits yet",
    "soft-actor-critic-two-critics-in-list-stepped-before-actor": "no kind of edit fits yet",
    "transformer-xl-memory-list-updated-without-detach": "no kind of edit fits yet",
    "weight-tying-through-data-copy-breaks-tie": "no kind of edit fits yet",
    "worker-shares-gradients-with-global-model-by-reference": "the edits offered do not reach what is wrong",
}
