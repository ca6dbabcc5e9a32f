import numpy as np
a = np.prod((1, 28, 28)); b = np.sqrt(16.0); c = int(np.ceil(2.2)); d = np.float64(3); e = np.pi; f = np.log(1.0); g = np.maximum(1, 2); h = len(np.zeros((3, 2)))
i = np.zeros((3, 4)).shape; j = np.zeros((3, 4)).ndim; k = np.zeros((3, 4)).size; l = np.abs(-2.0); m = np.shape(np.ones((2, 3))); n = np.int64(4); o = np.sum([1, 2])
p = np.inf; q = np.floor(2.7); r = np.arange(10)[2:5].shape; s = np.max([3, 9]); t = np.power(2.0, 3); u = np.newaxis is None; v = np.exp(0.0)
