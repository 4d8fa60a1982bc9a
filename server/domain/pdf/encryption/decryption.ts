import { createHash } from 'node:crypto'
import { concatBytes } from '#server/domain/bytes.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isDictionary,
  isName,
  isNamed,
  isString,
  type PdfDictionary,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { decryptAes } from './aes.ts'
import { fileKeyOf } from './file-key.ts'
import { rc4 } from './rc4.ts'

/** Which indirect object something belongs to: its numbers are part of most keys. */
type Owner = { readonly number: number; readonly generation: number }

/** Takes the encryption off what stands in a file. */
export type Decryption = {
  string(bytes: Uint8Array, owner: Owner): Uint8Array
  /** The data of a stream before its filters. */
  stream(data: Uint8Array, dictionary: PdfDictionary, owner: Owner): Uint8Array
}

/** What a crypt filter does: nothing, or one of two ciphers under a key of the file or of the object. */
type Method = 'none' | 'rc4' | 'aes-128' | 'aes-256'

/**
 * How a file is read without a password; undefined when it asks for one or protects itself in a way that
 * is no standard.
 *
 * @param dictionary the /Encrypt of the trailer
 * @param resolve follows references within the file as it is stored
 * @see ISO 32000-2:2020, 7.6
 */
export function decryptionOf(
  dictionary: PdfDictionary,
  trailer: PdfDictionary,
  resolve: (value: PdfObject | undefined) => PdfObject,
): Decryption | undefined {
  const entries = new Map([...dictionary.entries].map(([key, value]) => [key, resolve(value)]))
  const version = asCount(entries.get('V')) ?? 0
  const revision = asCount(entries.get('R')) ?? 0
  const isKnown = [1, 2, 4, 5].includes(version) && 2 <= revision && revision <= 6
  if (!isKnown || !isNamed(entries.get('Filter'), 'Standard')) return undefined
  const octets = (key: string) => octetsOf(entries.get(key))
  const encryptsMetadata = entries.get('EncryptMetadata') !== false
  const permissions = entries.get('P')
  const key = fileKeyOf({
    revision,
    keyLength: version === 4 ? 16 : keyLengthOf(entries.get('Length')),
    owner: octets('O'),
    user: octets('U'),
    userKey: octets('UE'),
    permissions: typeof permissions === 'number' ? permissions : 0,
    encryptsMetadata,
    documentId: firstIdOf(trailer, resolve),
  })
  if (!key) return undefined

  const methodNamed = (name: PdfObject | undefined): Method =>
    version < 4 ? 'rc4' : methodOf(entries, name, resolve)
  const forStrings = methodNamed(entries.get('StrF'))
  const forStreams = methodNamed(entries.get('StmF'))
  return {
    string: (bytes, owner) => decrypted(bytes, key, forStrings, owner),
    stream(data, { entries: own }, owner) {
      if (isNamed(own.get('Type'), 'XRef')) return data
      const named = cryptFilterOf(own, resolve)
      const isOpen = version >= 4 && !encryptsMetadata && isNamed(own.get('Type'), 'Metadata')
      const method = named === undefined ? forStreams : methodNamed(named)
      return decrypted(data, key, isOpen ? 'none' : method, owner)
    },
  }
}

/** /Length counts bits; some producers write bytes. */
function keyLengthOf(value: PdfObject | undefined): number {
  const bits = asCount(value) ?? 40
  const length = bits < 40 ? bits : bits >> 3
  return 5 <= length && length <= 16 ? length : 5
}

function firstIdOf(
  trailer: PdfDictionary,
  resolve: (value: PdfObject | undefined) => PdfObject,
): Uint8Array {
  const ids = resolve(trailer.entries.get('ID'))
  return octetsOf(isArray(ids) ? resolve(ids.items[0]) : null)
}

const octetsOf = (value: PdfObject | undefined) =>
  isString(value) ? value.bytes : new Uint8Array()

/** @see ISO 32000-2:2020, 7.6.6, table 25 */
function methodOf(
  entries: ReadonlyMap<string, PdfObject>,
  name: PdfObject | undefined,
  resolve: (value: PdfObject | undefined) => PdfObject,
): Method {
  if (!isName(name) || name.value === 'Identity') return 'none'
  const filter = resolve(entriesOf(entries.get('CF')).get(name.value))
  const method = resolve(entriesOf(filter).get('CFM'))
  switch (isName(method) ? method.value : 'None') {
    case 'V2':
      return 'rc4'
    case 'AESV2':
      return 'aes-128'
    case 'AESV3':
      return 'aes-256'
    default:
      return 'none'
  }
}

/** The crypt filter that a stream names itself; undefined for most, which follow the document's. */
function cryptFilterOf(
  own: ReadonlyMap<string, PdfObject>,
  resolve: (value: PdfObject | undefined) => PdfObject,
): PdfObject | undefined {
  const first = (value: PdfObject) => (isArray(value) ? resolve(value.items[0]) : value)
  if (!isNamed(first(resolve(own.get('Filter'))), 'Crypt')) return undefined
  const parameters = first(resolve(own.get('DecodeParms')))
  const name = isDictionary(parameters) ? resolve(parameters.entries.get('Name')) : null
  return name ?? { kind: 'name', value: 'Identity' }
}

function decrypted(data: Uint8Array, key: Uint8Array, method: Method, owner: Owner): Uint8Array {
  switch (method) {
    case 'none':
      return data
    case 'rc4':
      return rc4(objectKey(key, owner, false), data)
    case 'aes-128':
      return decryptAes(objectKey(key, owner, true), data)
    case 'aes-256':
      return decryptAes(key, data)
  }
}

const AES_MARK = Uint8Array.from([0x73, 0x41, 0x6c, 0x54])

/** @see ISO 32000-2:2020, 7.6.3.2, algorithm 1 */
function objectKey(key: Uint8Array, { number, generation }: Owner, isAes: boolean): Uint8Array {
  const numbers = Uint8Array.from([
    number & 255,
    (number >> 8) & 255,
    (number >> 16) & 255,
    generation & 255,
    (generation >> 8) & 255,
  ])
  const all = concatBytes(key, numbers, isAes ? AES_MARK : new Uint8Array())
  const digest = new Uint8Array(createHash('md5').update(all).digest())
  return digest.subarray(0, Math.min(16, key.length + 5))
}
