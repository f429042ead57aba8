#!/usr/bin/env python3
"""What the second verifier is made of, against what others published. TAP on standard output."""
import pathlib
import sys

import ed25519
from octets import Bad, Tree, canonical, leaf, read

# RFC 8032 7.1: seed, public key, message, signature
VECTORS = [
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e3970"
     "1cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613"
     "d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760"
     "984dc6594a7c15e9716ed28dc027beceea1ec40a"),
]
# The test tree of Certificate Transparency: leaves, and the root of them all.
LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657",
          "606162636465666768696a6b6c6d6e6f"]
ROOT = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
# RFC 8785 3.2.3 and what canonical octets may not be.
GOOD = [b'{"\\r":1,"1":2,"\xc2\x80":3,"\xc3\xb6":4,"\xe2\x82\xac":5,"\xf0\x9f\x98\x80":6,"\xef\xac\xb3":7}',
        b'{"a":[-9007199254740991,0,true,false,null,"\\u001f\\"\\\\\\b\\f\\n\\r\\t/"]}']
BAD = [b'{"a":1,"a":1}', b'{"b":1,"a":1}', b'{"a": 1}', b'{"a":1}\n', b'{"a":1.0}', b'{"a":1e2}',
       b'{"a":-0}', b'{"a":01}', b'{"a":9007199254740992}', b'{"a":NaN}', b'{"a":"\\/"}',
       b'{"a":"\\u0041"}', b'{"a":"\\ud800"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xff"}',
       b'\xef\xbb\xbf{}', b'{"a":"\x01"}', b'{"a":' + b"[" * 17 + b"]" * 17 + b'}', b'', b'{', b'1 2']


def refused(octets):
    try:
        read(octets)
    except Bad:
        return True
    return False


def small_order():
    """A key of order one holds over nothing, though the equation would hold over anything."""
    one = (1).to_bytes(32, "little")
    return not ed25519.holds(one, b"x", one + bytes(32))


def checks():
    for seed, key, message, signature in VECTORS:
        seed, key, message, signature = map(bytes.fromhex, (seed, key, message, signature))
        yield "a key of RFC 8032", ed25519.public(seed) == key
        yield "its signature", ed25519.sign(seed, message) == signature
        yield "which holds", ed25519.holds(key, message, signature)
        yield "over that alone", not ed25519.holds(key, message + b"x", signature)
        s = int.from_bytes(signature[32:], "little") + ed25519.L
        other = signature[:32] + s.to_bytes(32, "little")
        yield "and is not malleable", not ed25519.holds(key, message, other)
    yield "no key of small order", small_order()
    tree = Tree()
    for octets in LEAVES:
        tree.add(leaf(bytes.fromhex(octets)))
    yield "the root that RFC 6962 gives", tree.root().hex() == ROOT
    for octets in GOOD:
        yield f"canonical: {octets!r:.40}", canonical(read(octets)) == octets
    for octets in BAD:
        yield f"not canonical: {octets!r:.40}", refused(octets)
    corpus = pathlib.Path(__file__).resolve().parent.parent.parent / "fixtures/corpus/json"
    bad = [path for path in corpus.glob("n_*") if "foreign" not in path.name]
    yield "the corpus is there", len(bad) > 100
    yield "all of it is refused", all(refused(path.read_bytes()) for path in bad)


def main():
    count = failed = 0
    for what, true in checks():
        count += 1
        failed += not true
        print("ok" if true else "not ok", count, "-", what.replace("#", "\\#"))
    print(f"1..{count}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
