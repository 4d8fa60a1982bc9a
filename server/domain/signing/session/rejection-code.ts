import type { z } from 'zod'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { crockford, encodeCrockford } from '#server/domain/identity/activation-code.ts'
import type { Sha256, SigningLinkId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'

const LENGTH = 10

/** The code that is mailed to an external signer who rejects: 10 characters (50 bits). */
export const RejectionCode = crockford(LENGTH).brand<'RejectionCode'>()
export type RejectionCode = z.infer<typeof RejectionCode>

/** Random bytes per code. */
export const REJECTION_CODE_BYTES = LENGTH

/** How long a code can be used: a hash of 50 bits cannot be guessed in that time. */
export const REJECTION_CODE_LIFETIME = minutes(15)

/** A second request in this time, such as a double click, sends no second code: the first mail may be read already. */
export const REJECTION_CODE_PAUSE = minutes(1)

/** Encodes random bytes as a code, five bits of each. */
export const rejectionCodeFrom = (random: Uint8Array): RejectionCode =>
  RejectionCode.parse(encodeCrockford(random, LENGTH))

/** The stored hash. A code is for one link: that of the browser in which it was asked for. */
export const hashOfRejectionCode = (link: SigningLinkId, code: RejectionCode): Sha256 =>
  sha256(`rejection!${link}!${code}`)

/** `7K3F9-QZA4M`. */
export const groupedRejectionCode = (code: RejectionCode) => `${code.slice(0, 5)}-${code.slice(5)}`
