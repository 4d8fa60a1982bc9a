import { z } from 'zod'
import { OfficeId } from '#server/domain/ids.ts'
import type { Duration } from '#server/domain/time.ts'
import { line } from './text.ts'

const Milliseconds = z
  .int()
  .positive()
  .transform((value) => value as Duration)

/**
 * What happens to a signature while no authority gives a timestamp: `required` refuses it, `later` accepts it and
 * proves the time afterwards, `none` requests no timestamps.
 */
export const TimestampPolicy = z.enum(['none', 'later', 'required'])
export type TimestampPolicy = z.infer<typeof TimestampPolicy>

export const PresencePolicy = z.enum(['none', 'required'])
export type PresencePolicy = z.infer<typeof PresencePolicy>

/** When constancias are requested automatically: never, or for each completed file. */
export const ConstanciaPolicy = z.enum(['none', 'at-completion'])
export type ConstanciaPolicy = z.infer<typeof ConstanciaPolicy>

/** After how many days of waiting a signer is reminded automatically. */
export const ReminderPolicy = z.enum(['none', '1', '3', '7', '1,3', '1,7', '3,7', '1,3,7'])
export type ReminderPolicy = z.infer<typeof ReminderPolicy>

/** Whether the reports of each month are made by themselves. */
export const ReportSchedule = z.enum(['none', 'monthly'])
export type ReportSchedule = z.infer<typeof ReportSchedule>

/** How the public page shows the names of signers who are not notaries: `M**** N****` or `M. N.` */
export const PublicNames = z.enum(['masked', 'initials'])
export type PublicNames = z.infer<typeof PublicNames>

/** Whether the public page offers its report and the proof of the log as files. */
export const PublicDownloads = z.enum(['allowed', 'disabled'])
export type PublicDownloads = z.infer<typeof PublicDownloads>

/** A notary office (notaría): its number is unique within its state of the federation. */
export const Office = z.object({
  id: OfficeId,
  number: z.int().positive(),
  /** `Ciudad de México` */
  entity: line(60),
  municipality: line(100),
  address: line(300),
  /** IANA name; dates of folios and captions use it. */
  timeZone: line(60),
  name: line(200),
  /** Whether an e.firma may be used in the memory of the server, for browsers without scripts. */
  serverSigning: z.enum(['allowed', 'disabled']),
  /** Largest document in bytes. */
  uploadLimit: z.int().positive(),
  /** Idle timeout of sessions. */
  sessionIdle: Milliseconds,
  /** Maximum lifetime of a session. */
  sessionAbsolute: Milliseconds,
  /** How long after activation a user may go without a second factor; null if it is optional. */
  secondFactorGrace: z
    .int()
    .nonnegative()
    .transform((value) => value as Duration)
    .nullable(),
  timestampPolicy: TimestampPolicy,
  /** Whether signers must prove their presence by second factor right before signing. */
  presence: PresencePolicy,
  constanciaPolicy: ConstanciaPolicy,
  /** Automatic reminders to signers whose turn it is. */
  reminders: ReminderPolicy,
  /** Reports of the month before, with a mail to the administrators. */
  reportSchedule: ReportSchedule,
  publicNames: PublicNames,
  publicDownloads: PublicDownloads,
})
export type Office = z.infer<typeof Office>

/** The identity of an office as its administrator types it; shown on pages, sheets and public verdicts. */
export const OfficeIdentity = z.object({
  number: z.coerce.number<unknown>().pipe(Office.shape.number.max(9_999)),
  entity: Office.shape.entity,
  municipality: Office.shape.municipality,
  address: Office.shape.address,
  timeZone: Office.shape.timeZone.refine(isTimeZone, 'not a time zone'),
  /** `Notaría 12 de la Ciudad de México` */
  name: Office.shape.name,
})
export type OfficeIdentity = z.infer<typeof OfficeIdentity>

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('es-MX', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
