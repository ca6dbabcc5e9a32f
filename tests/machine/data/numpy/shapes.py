import numpy as np
a = np.zeros((3, 4)); b = np.ones(5); c = a * 2 + 1; d = a[0]; e = a[1:]; f = a.T; g = a + np.ones(4); h = a.reshape(2, 6); i = a.flatten()
j = np.arange(7); k = np.arange(1, 9, 3); l = np.linspace(0, 1, 11); m = np.eye(3); n = np.array([[1.0, 2.0], [3.0, 4.0]]); o = a.sum(axis=0)
p = a.mean(axis=1, keepdims=True); q = np.random.rand(2, 3); r = np.random.randn(4); s = np.random.randint(0, 5, size=(2, 2)); t = np.exp(a)
u = np.maximum(a, 0); v = a > 1; w = a.astype(int); x = np.zeros_like(a); y = a @ np.ones((4, 2)); z = a.copy(); aa = np.random.normal(0, 1, (2, 5))
bb = np.sqrt(a); cc = np.full((2, 2), 7); dd = -a; ee = np.random.permutation(6); ff = np.asarray([1, 2, 3]); gg = a[1:, ]; hh = np.clip(a, 0, 1)
ii = np.random.default_rng(0).normal(size=3); jj = np.where(a > 0, a, 0); kk = np.sum(a, axis=1); ll = 2 ** a; mm = np.float32([1, 2]); nn = np.power(a, 2)
