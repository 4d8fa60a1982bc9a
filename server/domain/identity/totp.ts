import { generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import { type Duration, type Instant, instantOf, seconds } from '#server/domain/time.ts'

/** Bytes per secret. @see RFC 4226, 4, R6 */
export const TOTP_SECRET_BYTES = 20

const PERIOD = seconds(30)
/** How long an expired code is still accepted, for slow typing. */
const TYPING = seconds(10)
/** How early the next code is accepted, for a fast clock. */
const AHEAD = seconds(5)
/** Typing time that does not indicate a slow clock. */
const USUAL_TYPING = seconds(5)
/** Tolerance for a new device, whose clock is unknown. */
const AT_FIRST = seconds(30)
/** Maximum assumed clock drift. */
const MOST_DRIFT = seconds(60)
/** Older codes are reported as old, not accepted. */
const HINT_PERIOD = seconds(600)

/** The memory between two codes of one device. */
export type TotpMemory = {
  /** The time step of the last accepted code; 0 for none. */
  readonly lastStep: number
  /** The device's clock minus ours; negative if it is slow. */
  readonly drift: Duration
}

export type TotpHint =
  /** The code was valid a few minutes ago: it is old, or the device's clock is slow. */
  | 'clock'
  /** This or a later code was already used. */
  | 'replayed'

export type TotpVerdict =
  /** `memory`: to store once the code is consumed. */
  { kind: 'right'; memory: TotpMemory } | { kind: 'wrong'; hint: TotpHint | null }

/**
 * Checks a code. Each code is accepted once, and none after a later one; it lives 30 seconds, plus 10 for
 * typing and 5 before its time. For a device with a known clock drift the window extends to that drift and
 * still includes the correct time: the user may correct the clock.
 *
 * A *future* code is treated as any wrong one: an attacker would learn a code that is accepted soon.
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
    return { kind: 'right', memory: { lastStep: step, drift: adjustDrift(memory.drift, step, at) } }
  const old = stepOf(secret, code, at, HINT_PERIOD, future)
  if (old === undefined) return { kind: 'wrong', hint: null }
  return { kind: 'wrong', hint: old <= memory.lastStep ? 'replayed' : 'clock' }
}

/** Checks the first code of a new device, whose clock may be off by one step. */
export function checkFirstTotp(secret: Uint8Array, code: string, at: Instant): TotpVerdict {
  const step = stepOf(secret, code, at, AT_FIRST, AT_FIRST)
  if (step !== undefined)
    return { kind: 'right', memory: { lastStep: step, drift: adjustDrift(seconds(0), step, at) } }
  const isOld = stepOf(secret, code, at, HINT_PERIOD, HINT_PERIOD) !== undefined
  return { kind: 'wrong', hint: isOld ? 'clock' : null }
}

/** The six digits that the user typed, without spaces and hyphens; undefined for anything else. */
export function readTotpCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/** Base32 without padding, for authenticator apps. @see RFC 4648, 6 */
export function totpSecretText(secret: Uint8Array): string {
  return new ScureBase32Plugin().encode(secret)
}

/**
 * The content of the QR code: SHA-1, six digits, 30 seconds, which all apps support.
 *
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function totpUri(secret: Uint8Array, issuer: string, account: string): string {
  return generateURI({ secret: totpSecretText(secret), issuer, label: account })
}

/** The start of a time step. */
export const startOfStep = (step: number) => instantOf(step * PERIOD)

function stepOf(
  secret: Uint8Array,
  token: string,
  at: Instant,
  past: Duration,
  future: Duration,
  lastStep = 0,
): number | undefined {
  // The library throws if the whole window was already used.
  if (lastStep > Math.floor((at + future) / PERIOD)) return undefined
  const epoch = Math.floor(at / 1000)
  const epochTolerance: [number, number] = [inSeconds(past), inSeconds(future)]
  const found = verifySync({ secret, token, epoch, epochTolerance, afterTimeStep: lastStep })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}

/**
 * The code of `step` was displayed within the last seconds, which bounds the drift; within the bounds the old
 * estimate stays, so that one slow entry does not move it far and the next code moves it back.
 */
function adjustDrift(drift: Duration, step: number, at: Instant): Duration {
  const least = startOfStep(step) - at
  const most = least + PERIOD + USUAL_TYPING
  const learnt = Math.min(Math.max(drift, least), most)
  return seconds(Math.trunc(Math.min(Math.max(learnt, -MOST_DRIFT), MOST_DRIFT) / 1000))
}

const inSeconds = (time: Duration) => time / 1000
