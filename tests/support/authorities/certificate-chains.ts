import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  basicConstraints,
  extension,
  keyUsage,
  mintCertificate,
} from '#server/demo/certificate-minting.ts'
import { type KeyPair, newKeyPair } from '#server/demo/certification-authority.ts'
import {
  ia5String,
  implicit,
  octetString,
  oid,
  sequence,
  setOfElements,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import { ID_ANY_POLICY } from '#server/domain/asn1/object-identifiers.ts'
import { parseInstant } from '#server/domain/time.ts'
import { findPath, type PathResult } from '#server/domain/trust/path.ts'
import type { PolicyRequirements } from '#server/domain/trust/policy-rules.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { judge } from '#tests/support/judges.ts'
import { TEST_NOW } from './test-authority.ts'

/** One certificate of a chain. */
export type Link = {
  /** `CN=Ana,O=Notaría 1,E=ana@notaria.mx`, or `CN=Ana+O=Notaría 1` in one part; the issuer's name for an authority that renews its key. */
  name?: string
  /** Its issuer field, if it differs from the name of the issuer. */
  issuer?: string
  /** Number of its key; the place in the chain where it is absent. */
  key?: number
  /** Number of the key that signs it. */
  by?: number
  from?: string
  until?: string
  extensions?: readonly Uint8Array[]
}

const KEY_COUNT = 7
let keyPairs: Promise<KeyPair[]> | undefined

/** Keys are made once for the whole process. */
export function chainKeys(): Promise<KeyPair[]> {
  keyPairs ??= Promise.all(Array.from({ length: KEY_COUNT }, () => newKeyPair()))
  return keyPairs
}

export const isAuthority = (pathLength?: number) => [
  basicConstraints({ isAuthority: true, ...(pathLength === undefined ? {} : { pathLength }) }),
  // keyCertSign and cRLSign.
  keyUsage(0x06, 1, true),
]

const ATTRIBUTES: Record<string, string> = {
  CN: '2.5.4.3',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  C: '2.5.4.6',
  E: '1.2.840.113549.1.9.1',
}

export const nameFrom = (text: string): Uint8Array =>
  sequence(...text.split(',').map((part) => setOfElements(...part.split('+').map(attributeFrom))))

function attributeFrom(text: string): Uint8Array {
  const [type = '', value = ''] = text.split('=')
  return sequence(oid(ATTRIBUTES[type] ?? ''), type === 'E' ? ia5String(value) : utf8String(value))
}

/** The certificates of a chain from the anchor to the leaf, each issued by the one before it. */
export function mintChain(keys: readonly KeyPair[], links: readonly Link[]): Certificate[] {
  const nameAt = (index: number) =>
    links[index]?.name ?? (index === 0 ? 'CN=Anchor,O=Test' : `CN=Link ${index},O=Test`)
  const keyAt = (index: number) => keys[links[index]?.key ?? index] as KeyPair
  return links.map((link, index) => {
    const above = Math.max(0, index - 1)
    const isLeaf = index === links.length - 1
    const signer = link.by === undefined ? keyAt(above) : (keys[link.by] as KeyPair)
    return readCertificate(
      mintCertificate({
        serial: String(index + 1).padStart(20, '0'),
        issuer: nameFrom(link.issuer ?? nameAt(above)),
        subject: nameFrom(nameAt(index)),
        publicKey: keyAt(index).publicKey,
        notBefore: parseInstant(link.from ?? '2020-01-01'),
        notAfter: parseInstant(link.until ?? '2040-01-01'),
        extensions: [
          ...(link.extensions ?? (isLeaf ? [] : isAuthority())),
          ...keyIdentifiers(keyAt(index), signer),
        ],
        issuerKey: signer.privateKey,
      }),
    )
  })
}

/** OpenSSL finds an authority of several keys by them; we try. */
function keyIdentifiers(own: KeyPair, signer: KeyPair): Uint8Array[] {
  const idOf = ({ publicKey }: KeyPair) =>
    createHash('sha1')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest()
  return [
    extension('2.5.29.14', octetString(idOf(own))),
    extension('2.5.29.35', sequence(implicit(0, idOf(signer)))),
  ]
}

const anchorOf = (certificate: Certificate): TrustAnchor => ({
  certificate,
  label: 'de prueba',
  forTesting: true,
  revocation: 'when-available',
})

/** `found`, or why there is no path. */
export function judgedChain(chain: readonly Certificate[], policies?: PolicyRequirements): string {
  const [anchor, ...others] = chain
  const leaf = others.pop()
  if (!anchor || !leaf) throw new RangeError('a chain has two ends')
  const result: PathResult = findPath(leaf, {
    anchors: [anchorOf(anchor)],
    candidates: others.reverse(),
    at: TEST_NOW,
    ...(policies && { policies }),
  })
  return result.kind === 'found' ? 'found' : result.reason
}

const openssl = judge('openssl')

/** Whether OpenSSL finds the same chain good, by the same rules and at the same time. */
export function openSslAccepts(
  chain: readonly Certificate[],
  policies: PolicyRequirements = {},
): { accepts: boolean; why: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'chain-'))
  const file = (name: string, certificates: readonly Certificate[]) => {
    writeFileSync(path.join(folder, name), certificates.map(pemOf).join(''))
    return path.join(folder, name)
  }
  try {
    const { status, errors } = openssl(
      'verify',
      ...['-attime', String(TEST_NOW / 1000), '-policy_check'],
      ...(policies.acceptable ?? [ID_ANY_POLICY]).flatMap((oid) => ['-policy', oid]),
      ...(policies.requireExplicit ? ['-explicit_policy'] : []),
      ...(policies.inhibitMapping ? ['-inhibit_map'] : []),
      ...(policies.inhibitAny ? ['-inhibit_any'] : []),
      ...['-CAfile', file('anchor.pem', chain.slice(0, 1))],
      ...['-untrusted', file('between.pem', chain.slice(1, -1))],
      file('leaf.pem', chain.slice(-1)),
    )
    return { accepts: status === 0, why: errors }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const pemOf = ({ der }: Certificate) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`
