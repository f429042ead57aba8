"""Ed25519 as RFC 8032 writes it, on integers: slow, and short enough to be read."""
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def _x(y, sign):
    """The x of a point, from its y and the lowest bit of x; None if there is none."""
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if x2 == 0:
        return None if sign else 0
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * ROOT % P
    if (x * x - x2) % P:
        return None
    return P - x if x & 1 != sign else x


def _add(p, q):  # extended coordinates: x = X/Z, y = Y/Z, xy = T/Z
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(n, p):
    q = (0, 1, 1, 0)
    while n:
        if n & 1:
            q = _add(q, p)
        p = _add(p, p)
        n >>= 1
    return q


def _point(octets):
    n = int.from_bytes(octets, "little")
    y, sign = n & (2**255 - 1), n >> 255
    x = _x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def _octets(p):
    z = pow(p[2], P - 2, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


_Y = 4 * pow(5, P - 2, P) % P
BASE = (_x(_Y, 0), _Y, 1, _x(_Y, 0) * _Y % P)


def _digest(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def holds(key, message, signature):
    """True if this is the key's signature over the message."""
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r = _point(key), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    # A key of small order would hold over anything.
    if _octets(_times(8, a)) == _octets((0, 1, 1, 0)):
        return False
    h = _digest(signature[:32], key, message) % L
    return _octets(_times(s, BASE)) == _octets(_add(r, _times(h, a)))


def _expand(seed):
    digest = hashlib.sha512(seed).digest()
    n = int.from_bytes(digest[:32], "little") & ~7 & (2**254 - 1) | 2**254
    return n, digest[32:]


def public(seed):
    return _octets(_times(_expand(seed)[0], BASE))


def sign(seed, message):
    """For tests that forge: a signature as a holder of the key would make it."""
    n, prefix = _expand(seed)
    r = _digest(prefix, message) % L
    point = _octets(_times(r, BASE))
    s = (r + _digest(point, public(seed), message) * n) % L
    return point + s.to_bytes(32, "little")
