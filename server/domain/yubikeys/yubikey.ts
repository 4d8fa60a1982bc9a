import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { CertificateId, OfficeId, UserId, YubikeyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'

/** Decimal digits without leading zeros, as printed on the device. Four octets, by the maker's profile. */
export const YubikeySerial = z
  .string()
  .trim()
  .regex(/^\d{1,12}$/)
  .transform((digits) => digits.replace(/^0+(?=\d)/, ''))
  .refine((digits) => Number(digits) > 0 && Number(digits) <= 0xffff_ffff)
export type YubikeySerial = z.infer<typeof YubikeySerial>

/** `5.4.3` */
export const Firmware = z
  .string()
  .trim()
  .regex(/^\d{1,3}\.\d{1,3}\.\d{1,3}$/)

/** What it is called on its box: `YubiKey 5C NFC`. */
export const YubikeyModel = line(60)

export const FormFactor = z.enum([
  'usb-a-keychain',
  'usb-a-nano',
  'usb-c-keychain',
  'usb-c-nano',
  'usb-c-lightning',
  'usb-a-bio',
  'usb-c-bio',
])
export type FormFactor = z.infer<typeof FormFactor>

/** `in-stock`: in the office's keeping; `assigned`: its holder has it. */
export const YubikeyState = z.enum(['in-stock', 'assigned', 'lost', 'retired'])
export type YubikeyState = z.infer<typeof YubikeyState>

/** A physical key of the office. It never leaves the inventory: a retired one stays as what it was. */
export const Yubikey = z.object({
  id: YubikeyId,
  officeId: OfficeId,
  /** No two of an office have the same one. */
  serial: z.string(),
  model: z.string(),
  firmware: z.string().nullable(),
  formFactor: FormFactor.nullable(),
  state: YubikeyState,
  stateSince: Instant,
  stateBy: UserId,
  /** Who has it; of a lost one, who had it. */
  holderId: UserId.nullable(),
  /** The certificate of its holder whose private key it keeps. */
  certificateId: CertificateId.nullable(),
  /** Counts from 1, by one with every change. */
  version: z.int().positive(),
})
export type Yubikey = z.infer<typeof Yubikey>

/** What happened to a key. */
export const YubikeyChangeKind = z.enum([
  'registered',
  'attested',
  'handed-over',
  'taken-back',
  'credential-linked',
  'credential-unlinked',
  'certificate-linked',
  'certificate-unlinked',
  'lost',
  'found',
  'retired',
])
export type YubikeyChangeKind = z.infer<typeof YubikeyChangeKind>

/** A change of a key, which made this version of it. Never changed. */
export const YubikeyChange = z.object({
  yubikeyId: YubikeyId,
  version: z.int().positive(),
  kind: YubikeyChangeKind,
  at: Instant,
  by: UserId,
  /** The person who got it, or had it. */
  holderId: UserId.nullable(),
  /** The reason of a person, the slot that was attested, or the name of what was linked. */
  note: z.string().nullable(),
})
export type YubikeyChange = z.infer<typeof YubikeyChange>

/** A change of the state of a key. */
type Move = Extract<YubikeyChangeKind, 'handed-over' | 'taken-back' | 'lost' | 'found' | 'retired'>

const MOVES: Record<Move, { from: readonly YubikeyState[]; to: YubikeyState }> = {
  'handed-over': { from: ['in-stock'], to: 'assigned' },
  'taken-back': { from: ['assigned'], to: 'in-stock' },
  lost: { from: ['in-stock', 'assigned'], to: 'lost' },
  found: { from: ['lost'], to: 'in-stock' },
  retired: { from: ['in-stock', 'assigned', 'lost'], to: 'retired' },
}

export const mayMove = ({ state }: Pick<Yubikey, 'state'>, move: Move): boolean =>
  MOVES[move].from.includes(state)

/** The state behind a move. @throws {Problem} `yubikey-state` */
export function stateAfter(yubikey: Pick<Yubikey, 'id' | 'state'>, move: Move): YubikeyState {
  if (!mayMove(yubikey, move))
    throw new Problem('yubikey-state', `${yubikey.id} is ${yubikey.state}: not ${move}`)
  return MOVES[move].to
}

/**
 * RSA keys that these devices made can be computed from their public part: CVE-2017-15361.
 *
 * @see developers.yubico.com, security advisory 2017-10-16: firmware 4.2.6 to 4.3.4
 */
export function makesWeakRsaKeys(firmware: string): boolean {
  const [major = 0, minor = 0, patch = 0] = firmware.split('.').map(Number)
  const number = major * 1e6 + minor * 1e3 + patch
  return number >= 4_002_006 && number <= 4_003_004
}

/** Attestations of one key, also those that later ones replaced; it has some two dozen slots. */
export const MOST_ATTESTATIONS = 50
