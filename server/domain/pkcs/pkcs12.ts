import { DerError, type DerNode, readBer } from '#server/domain/asn1/der.ts'
import {
  explicitContent,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
} from '#server/domain/asn1/der-values.ts'
import {
  ID_CERTIFICATE_BAG,
  ID_DATA,
  ID_ENCRYPTED_DATA,
  ID_KEY_BAG,
  ID_SAFE_CONTENTS_BAG,
  ID_SHROUDED_KEY_BAG,
  ID_X509_CERTIFICATE,
} from '#server/domain/asn1/object-identifiers.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { type DerivationWork, newDerivationWork } from './derivation-work.ts'
import { decryptByPassword, readPasswordScheme } from './password-scheme.ts'
import type { Digest } from './pkcs12-derivation.ts'
import { isSealedWith } from './pkcs12-mac.ts'
import { importPrivateKey, matchesCertificate, type OpenedPrivateKey } from './private-key.ts'
import { isPdf } from './private-key-file.ts'

/** A certificate and the key that it speaks of. */
export type Pkcs12Pair = { certificate: Certificate; opened: OpenedPrivateKey }

export type Pkcs12Refusal =
  | 'empty-file'
  | 'is-a-pdf'
  | 'not-a-pkcs12'
  | 'unsupported-encryption'
  | 'wrong-password'
  /** No RSA key in it has its certificate beside it. */
  | 'no-pair'

export type Pkcs12Outcome =
  /** At least one, in the order of the file. */
  { kind: 'opened'; pairs: readonly [Pkcs12Pair, ...Pkcs12Pair[]] } | { kind: Pkcs12Refusal }

/** Real files have a handful of bags. */
const MOST_BAGS = 100
/** Parts that were encrypted one by one; real files have two or three. */
const MOST_DECRYPTIONS = 12
const LIMITS = { maxNodes: 20_000 }

/** Why a file cannot be opened; leaves this module never. */
class Refused extends Error {
  override readonly name = 'Refused'
  readonly kind: Pkcs12Refusal

  constructor(kind: Pkcs12Refusal) {
    super(kind)
    this.kind = kind
  }
}

type Opening = {
  password: string
  certificates: Certificate[]
  keys: OpenedPrivateKey[]
  bagsLeft: number
  decryptionsLeft: number
  work: DerivationWork
}

/**
 * The certificates with their keys in a `.p12` or `.pfx`, in the page or on a server alike. Which certificate
 * belongs to which key their numbers say, not the labels of the file. What was decrypted is overwritten as soon
 * as the platform holds the keys. Never throws.
 *
 * @param digest absent: the platform's, which is slow where a file wants many rounds of it
 * @see RFC 7292
 */
export async function openPkcs12(
  file: Uint8Array,
  password: string,
  digest?: Digest,
): Promise<Pkcs12Outcome> {
  const problem = diagnosePkcs12File(file)
  if (problem) return { kind: problem }
  if (password === '') return { kind: 'wrong-password' }
  const left = {
    bagsLeft: MOST_BAGS,
    decryptionsLeft: MOST_DECRYPTIONS,
    work: newDerivationWork(digest),
  }
  const opening: Opening = { password, certificates: [], keys: [], ...left }
  try {
    const { content, macData } = readFile(file)
    if (macData) await mustBeSealed(macData, content, opening)
    for (const part of sequenceOf(readBer(content, LIMITS))) await openPart(opening, part)
  } catch (error) {
    if (error instanceof Refused) return { kind: error.kind }
    if (error instanceof DerError) return { kind: 'not-a-pkcs12' }
    throw error
  }
  const [first, ...others] = pairsOf(opening)
  return first ? { kind: 'opened', pairs: [first, ...others] } : { kind: 'no-pair' }
}

/** What is wrong with a `.p12`, before its password is asked for; undefined when it may be opened. Never throws. */
export function diagnosePkcs12File(file: Uint8Array): Pkcs12Refusal | undefined {
  if (file.length === 0) return 'empty-file'
  if (isPdf(file)) return 'is-a-pdf'
  return isPkcs12(file) ? undefined : 'not-a-pkcs12'
}

/** Whether the bytes have the outer shape of a PKCS#12 file; a `.cer` or `.key` has not. Never throws. */
export function isPkcs12(file: Uint8Array): boolean {
  try {
    readFile(file)
    return true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function pairsOf({ certificates, keys }: Opening): Pkcs12Pair[] {
  return certificates.flatMap((certificate) => {
    const opened = keys.find((key) => matchesCertificate(key, certificate))
    return opened ? [{ certificate, opened }] : []
  })
}

/** @throws {DerError} if it is no PFX whose integrity a password keeps */
function readFile(file: Uint8Array) {
  const [version, authSafe, macData, ...more] = sequenceOf(readBer(file, LIMITS))
  const [type, wrapped] = sequenceOf(authSafe)
  if (smallIntegerOf(version) !== 3 || !wrapped || oidOf(type) !== ID_DATA || more.length > 0)
    throw new DerError('unexpected-structure', 'not a PFX')
  return { content: octetsOf(explicitContent(wrapped)), macData }
}

async function mustBeSealed(macData: DerNode, content: Uint8Array, { password, work }: Opening) {
  const isSealed = await isSealedWith(macData, content, password, work)
  if (isSealed === undefined) throw new Refused('unsupported-encryption')
  if (!isSealed) throw new Refused('wrong-password')
}

/** One ContentInfo of the AuthenticatedSafe. */
async function openPart(opening: Opening, part: DerNode) {
  const [type, wrapped] = sequenceOf(part)
  const kind = oidOf(type)
  if (!wrapped) throw new DerError('unexpected-structure', 'a part without content')
  if (kind === ID_DATA) return await openBags(opening, octetsOf(explicitContent(wrapped)))
  // Enveloped for a public key: a password does not open it.
  if (kind !== ID_ENCRYPTED_DATA) throw new Refused('unsupported-encryption')
  const [, info] = sequenceOf(explicitContent(wrapped))
  const [, algorithm, encrypted] = sequenceOf(info)
  const plain = await decrypted(opening, algorithm, implicitOctets(encrypted))
  try {
    await openBags(opening, plain)
  } finally {
    plain.fill(0)
  }
}

/** `[0] IMPLICIT OCTET STRING`, whole or in pieces. */
function implicitOctets(node: DerNode | undefined): Uint8Array {
  if (node?.tag === 0x80) return node.content
  if (node?.tag !== 0xa0) throw new DerError('unexpected-structure', 'no encrypted content')
  return new Uint8Array(node.children().flatMap((piece) => [...octetsOf(piece)]))
}

async function decrypted(opening: Opening, algorithm: DerNode | undefined, hidden: Uint8Array) {
  if (opening.decryptionsLeft-- <= 0) throw new Refused('unsupported-encryption')
  const scheme = readPasswordScheme(readAlgorithmIdentifier(algorithm))
  if (!scheme) throw new Refused('unsupported-encryption')
  const outcome = await decryptByPassword(scheme, hidden, opening.password, opening.work)
  if (outcome.kind === 'decrypted') return outcome.plain
  throw new Refused(outcome.kind)
}

async function openBags(opening: Opening, safeContents: Uint8Array) {
  for (const bag of sequenceOf(readBer(safeContents, LIMITS))) await openBag(opening, bag)
}

async function openBag(opening: Opening, bag: DerNode): Promise<void> {
  if (opening.bagsLeft-- <= 0) throw new DerError('too-many-nodes', 'more bags than allowed')
  const [type, wrapped] = sequenceOf(bag)
  if (!wrapped) throw new DerError('unexpected-structure', 'an empty bag')
  const value = explicitContent(wrapped)
  const kind = oidOf(type)
  if (kind === ID_CERTIFICATE_BAG) takeCertificate(opening, value)
  if (kind === ID_KEY_BAG) await takeKey(opening, new Uint8Array(value.bytes))
  if (kind === ID_SHROUDED_KEY_BAG) await openKey(opening, value)
  if (kind === ID_SAFE_CONTENTS_BAG)
    for (const inner of sequenceOf(value)) await openBag(opening, inner)
}

/** A copy, because the bytes around it are wiped. An unreadable certificate does not make the others unusable. */
function takeCertificate({ certificates }: Opening, value: DerNode) {
  const [type, wrapped] = sequenceOf(value)
  if (!wrapped || oidOf(type) !== ID_X509_CERTIFICATE) return
  try {
    certificates.push(readCertificate(new Uint8Array(octetsOf(explicitContent(wrapped)))))
  } catch (error) {
    if (!(error instanceof DerError)) throw error
  }
}

async function openKey(opening: Opening, value: DerNode) {
  const [algorithm, encrypted] = sequenceOf(value)
  await takeKey(opening, await decrypted(opening, algorithm, octetsOf(encrypted)))
}

/** Keys that do not sign by RSA are left aside. */
async function takeKey({ keys }: Opening, plain: Uint8Array<ArrayBuffer>) {
  try {
    const key = await importPrivateKey(plain)
    if (key) keys.push(key)
  } finally {
    plain.fill(0)
  }
}
