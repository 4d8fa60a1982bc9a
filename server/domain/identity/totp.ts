import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import { type Duration, type Instant, instantOf, seconds } from '#server/domain/time.ts'

/** How many random bytes a secret has. @see RFC 4226, 4, R6 */
export const TOTP_SECRET_BYTES = 20

const PERIOD = seconds(30)
/** A code that ran out while it was typed still counts for so long. */
const TYPING = seconds(10)
/** A device that is a little ahead shows the next code so much too early. */
const AHEAD = seconds(5)
/** What of the typing time is no sign of a slow clock. */
const USUAL_TYPING = seconds(5)
/** The clock of a new device is not known yet. */
const AT_FIRST = seconds(30)
/** No clock is believed to be further off than this. */
const MOST_DRIFT = seconds(60)
/** An older code is only said to be old; it opens nothing. */
const HINT_PERIOD = seconds(600)

/** What is remembered between two codes of one device. */
export type TotpMemory = {
  /** The last time step whose code was taken; 0 for none. */
  readonly lastStep: number
  /** By how much the device's clock is ahead of ours; negative when it is behind. */
  readonly drift: Duration
}

export type TotpHint =
  /** The code was right a few minutes ago: it is an old one, or the device's clock is slow. */
  | 'clock'
  /** The code was taken already, or a later one was. */
  | 'replayed'

export type TotpVerdict =
  /** What is remembered once the code is taken. */
  { kind: 'right'; memory: TotpMemory } | { kind: 'wrong'; hint: TotpHint | null }

/**
 * Whether `code` is the one that the device shows now. Each code counts once, and none after a later one; it
 * lives 30 seconds, 10 more for typing and 5 before its time. For a device whose clock was seen to be off, the
 * window reaches as far as that, too, and still includes the right time: the user may correct the clock.
 *
 * A code of the *future* is never told from a wrong one: who guesses would learn what opens the door soon.
 *
 * @param code six digits, see `readTotpCode`
 * @see RFC 6238, 5.2 and 6
 */
export function checkTotp(
  secret: Uint8Array,
  code: string,
  at: Instant,
  memory: TotpMemory,
): TotpVerdict {
  const past = seconds(Math.max(0, -inSeconds(memory.drift)) + inSeconds(TYPING))
  const future = seconds(Math.max(0, inSeconds(memory.drift)) + inSeconds(AHEAD))
  const step = stepOf(secret, code, at, past, future, memory.lastStep)
  if (step !== undefined)
    return { kind: 'right', memory: { lastStep: step, drift: learn(memory.drift, step, at) } }
  const old = stepOf(secret, code, at, HINT_PERIOD, future)
  if (old === undefined) return { kind: 'wrong', hint: null }
  return { kind: 'wrong', hint: old <= memory.lastStep ? 'replayed' : 'clock' }
}

/** Whether `code` shows that a new device holds the secret: its clock may be off by a step. */
export function checkFirstTotp(secret: Uint8Array, code: string, at: Instant): TotpVerdict {
  const step = stepOf(secret, code, at, AT_FIRST, AT_FIRST)
  if (step !== undefined)
    return { kind: 'right', memory: { lastStep: step, drift: learn(seconds(0), step, at) } }
  const isOld = stepOf(secret, code, at, HINT_PERIOD, HINT_PERIOD) !== undefined
  return { kind: 'wrong', hint: isOld ? 'clock' : null }
}

/** The six digits that the user typed, without spaces and hyphens; undefined for anything else. */
export function readTotpCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/** Base32 without padding, as authenticator apps take it. @see RFC 4648, 6 */
export function totpSecretText(secret: Uint8Array): string {
  return new ScureBase32Plugin().encode(secret)
}

/**
 * What the QR code for an authenticator app says: SHA-1, six digits, 30 seconds, which is what all apps do.
 *
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  return generateURI({ secret: totpSecretText(secret), issuer, label: account })
}

/** When the code of a time step began to count. */
export const startOfStep = (step: number) => instantOf(step * PERIOD)

function stepOf(
  secret: Uint8Array,
  token: string,
  at: Instant,
  past: Duration,
  future: Duration,
  lastStep = 0,
): number | undefined {
  // The library refuses to look when all that it could find was taken.
  if (lastStep > Math.floor((at + future) / PERIOD)) return undefined
  const epoch = Math.floor(at / 1000)
  const epochTolerance: [number, number] = [inSeconds(past), inSeconds(future)]
  const found = verifySync({ secret, token, epoch, epochTolerance, afterTimeStep: lastStep })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}

/**
 * The device showed the code of `step` at some time of the last few seconds, which bounds how far its clock
 * is off; within these bounds what was believed stays, so that one slow typist does not move it far and the next
 * code moves it back.
 */
function learn(drift: Duration, step: number, at: Instant): Duration {
  const least = startOfStep(step) - at
  const most = least + PERIOD + USUAL_TYPING
  const learnt = Math.min(Math.max(drift, least), most)
  return seconds(Math.trunc(Math.min(Math.max(learnt, -MOST_DRIFT), MOST_DRIFT) / 1000))
}

const inSeconds = (time: Duration) => time / 1000
