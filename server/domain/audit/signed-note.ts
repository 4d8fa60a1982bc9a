import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

/** A public key in the verifier format: `name+id+key`. */
export type VerifierKey = {
  readonly name: string
  /** Key id, eight hexadecimal digits. */
  readonly id: string
  readonly key: KeyObject
}

/** A private key. */
export type NoteKey = { readonly verifier: VerifierKey; readonly key: KeyObject }

const ED25519 = 1
const SEED_BYTES = 32
/** The DER prefix of a 32-byte Ed25519 private key. @see RFC 8410, sections 4 and 7 */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Not empty, without spaces and plus signs, which are separators. */
const NAME = /^[^\s+]+$/u

/**
 * A key that signs notes.
 *
 * @param seed 32 random bytes
 * @param nameOf derives the key's name from the public key
 */
export function noteKey(seed: Uint8Array, nameOf: (publicKey: Uint8Array) => string): NoteKey {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a key of ${seed.length} bytes`)
  const der = Buffer.concat([PKCS8, seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { key, verifier: verifierOf(nameOf(bytesOf(createPublicKey(key))), key) }
}

function verifierOf(name: string, of: KeyObject): VerifierKey {
  if (!NAME.test(name)) throw new RangeError(`“${name}” names no key`)
  const key = createPublicKey(of)
  return { name, id: keyId(name, bytesOf(key)), key }
}

const bytesOf = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length)

function keyId(name: string, publicKey: Uint8Array): string {
  const hash = createHash('sha256').update(`${name}\n`).update(Uint8Array.of(ED25519))
  return hash.update(publicKey).digest('hex').slice(0, 8)
}

/** @see https://c2sp.org/signed-note and golang.org/x/mod/sumdb/note, "Verifying Notes" */
export function formatVerifierKey({ name, id, key }: VerifierKey): string {
  const bytes = Buffer.concat([Uint8Array.of(ED25519), bytesOf(key)])
  return `${name}+${id}+${bytes.toString('base64')}`
}

/** Undefined for invalid text and for unknown kinds of keys. */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const [, name = '', id, encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes?.length !== SEED_BYTES + 1 || bytes[0] !== ED25519) return undefined
  const publicKey = bytes.subarray(1)
  if (keyId(name, publicKey) !== id) return undefined
  const der = Buffer.concat([SPKI, publicKey])
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/**
 * Signs the text.
 *
 * @param text complete lines
 * @see https://c2sp.org/signed-note
 */
export function signNote(text: string, { verifier, key }: NoteKey): string {
  if (!isNoteText(text)) throw new RangeError('a note is made of whole lines')
  const signature = Buffer.concat([
    Buffer.from(verifier.id, 'hex'),
    sign(null, Buffer.from(text), key),
  ])
  return `${text}\n— ${verifier.name} ${signature.toString('base64')}\n`
}

/** Far more than a checkpoint with many witness signatures. */
const MOST_CHARACTERS = 100_000

const SIGNATURE = /^— ([^\s+]+) (\S+)$/u

/**
 * The text of a note signed by one of the keys; undefined if there is no such signature, if one of them is
 * invalid, or if it is not a note. Ignores signatures of other keys.
 */
export function openNote(note: string, keys: readonly VerifierKey[]): string | undefined {
  const end = note.lastIndexOf('\n\n') + 1
  const text = note.slice(0, end)
  if (note.length > MOST_CHARACTERS || !note.endsWith('\n') || !isNoteText(text)) return undefined
  let isSigned = false
  for (const line of note.slice(end + 1, -1).split('\n')) {
    const [, name, encoded = ''] = SIGNATURE.exec(line) ?? []
    const bytes = fromBase64(encoded)
    if (name === undefined || !bytes || bytes.length < 5) return undefined
    const id = bytes.toString('hex', 0, 4)
    const known = keys.find((key) => key.name === name && key.id === id)
    if (!known) continue
    if (!verify(null, Buffer.from(text), known.key, bytes.subarray(4))) return undefined
    isSigned = true
  }
  return isSigned ? text : undefined
}

/** Complete lines without ASCII control characters. */
const isNoteText = (text: string) =>
  text.endsWith('\n') &&
  text.isWellFormed() &&
  !Array.from(text).some((character) => character < ' ' && character !== '\n')

/** Undefined unless the base64 is canonical. @see RFC 4648, section 4 */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined
}
