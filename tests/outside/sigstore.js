// sigstore.js BUNDLE KEY.pem: @sigstore/verify judges the bundle under one public key, with no
// transparency log and no time stamp. Says NO and why, and ends with 1.
'use strict';
const fs = require('fs');
const crypto = require('crypto');
const { bundleFromJSON } = require('@sigstore/bundle');
const { Verifier, toSignedEntity, toTrustMaterial } = require('@sigstore/verify');

const [bundlePath, keyPath] = process.argv.slice(2);
try {
  const json = JSON.parse(fs.readFileSync(bundlePath, 'utf8'));
  const publicKey = crypto.createPublicKey(fs.readFileSync(keyPath));
  const trust = toTrustMaterial(
    { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] },
    () => ({ publicKey, validFor: () => true }),
  );
  new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 })
    .verify(toSignedEntity(bundleFromJSON(json)));
} catch (error) {
  console.log(`NO: ${error.message}`);
  process.exitCode = 1;
}
