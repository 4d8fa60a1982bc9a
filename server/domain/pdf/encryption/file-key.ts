import { createHash } from 'node:crypto'
import { concatBytes, equalBytes } from '#server/domain/bytes.ts'
import { unwrapKey } from './aes.ts'
import { hashOfRevision6 } from './hash-of-revision-6.ts'
import { rc4 } from './rc4.ts'

/** The entries of an encryption dictionary from which the key comes. @see ISO 32000-2:2020, table 21 */
export type KeyEntries = {
  /** /R, from 2 to 6. */
  revision: number
  /** In bytes. */
  keyLength: number
  owner: Uint8Array
  user: Uint8Array
  /** /UE; empty before revision 5. */
  userKey: Uint8Array
  permissions: number
  encryptsMetadata: boolean
  /** The first string of the trailer's /ID. */
  documentId: Uint8Array
}

/** The key with which the file is encrypted; undefined when the empty user password does not open it. */
export function fileKeyOf(entries: KeyEntries): Uint8Array | undefined {
  return entries.revision >= 5 ? keyOfAes256(entries) : keyOfOldRevisions(entries)
}

/** What stands for a password that is missing. @see ISO 32000-2:2020, 7.6.4.3.2 */
const PADDING = new Uint8Array(
  Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex'),
)

const md5 = (...parts: Uint8Array[]): Uint8Array =>
  new Uint8Array(
    createHash('md5')
      .update(concatBytes(...parts))
      .digest(),
  )

/** @see ISO 32000-2:2020, 7.6.4.3.2, algorithm 2 */
function keyOfOldRevisions(entries: KeyEntries): Uint8Array | undefined {
  const { revision, owner, permissions, documentId } = entries
  const length = revision === 2 ? 5 : entries.keyLength
  const flags = new Uint8Array(4)
  new DataView(flags.buffer).setInt32(0, permissions, true)
  const mark = revision >= 4 && !entries.encryptsMetadata ? new Uint8Array(4).fill(255) : []
  let key = md5(PADDING, owner.subarray(0, 32), flags, documentId, Uint8Array.from(mark))
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key.subarray(0, length))
  key = key.subarray(0, length)
  return isRight(key, entries) ? key : undefined
}

/** @see ISO 32000-2:2020, 7.6.4.4, algorithms 4 to 6 */
function isRight(key: Uint8Array, { revision, user, documentId }: KeyEntries): boolean {
  if (revision === 2) return equalBytes(rc4(key, PADDING), user.subarray(0, 32))
  let check = rc4(key, md5(PADDING, documentId))
  for (let round = 1; round < 20; round++)
    check = rc4(
      key.map((octet) => octet ^ round),
      check,
    )
  return equalBytes(check, user.subarray(0, 16))
}

/** @see ISO 32000-2:2020, 7.6.4.3.3, algorithm 2.A */
function keyOfAes256({ revision, user, userKey }: KeyEntries): Uint8Array | undefined {
  if (user.length < 48 || userKey.length < 32) return undefined
  const hash = (salt: Uint8Array) =>
    revision === 5
      ? new Uint8Array(createHash('sha256').update(salt).digest())
      : hashOfRevision6(salt)
  if (!equalBytes(hash(user.subarray(32, 40)), user.subarray(0, 32))) return undefined
  return unwrapKey(hash(user.subarray(40, 48)), userKey.subarray(0, 32))
}
