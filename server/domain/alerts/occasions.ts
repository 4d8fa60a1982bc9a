import type { Day } from '#server/domain/day.ts'
import type {
  AccessTokenId,
  ActivationId,
  ArcoRequestId,
  CertificateId,
  DeadlineId,
  DocumentId,
  FactorRemovalId,
  OfficeId,
  ServiceProviderId,
  SessionId,
  SigningSessionId,
  UserId,
  YubikeyId,
} from '#server/domain/ids.ts'
import type { DiskUse } from '#server/domain/installation/disk-floor.ts'
import type { DeadlineNotice } from '#server/domain/obligations/notices.ts'
import { days, hours, type Instant } from '#server/domain/time.ts'
import type { AlertKind } from './alert.ts'
import type { Notice } from './ending.ts'
import type { AlertReader } from './readers.ts'

const hourOf = (at: Instant) => Math.floor(at / hours(1))
const dayOf = (at: Instant) => Math.floor(at / days(1))

/** All occasions for alerts: each gets one alert; a second one is not stored, or counted if its kind repeats. */
export const occasions = {
  /** @param unique differs each time */
  accountWarning: (kind: AlertKind, user: UserId, unique: string) => `${kind}:${user}:${unique}`,
  factorRemoval: (removal: FactorRemovalId) => `removal-to-approve:${removal}`,
  passwordChanged: (user: UserId, at: Instant) => `password-changed:${user}:${at}`,
  passwordChosen: (activation: ActivationId) => `password-changed:${activation}`,
  /** One a day. */
  repeatedFailures: (user: UserId, at: Instant) => `repeated-failures:${user}:${dayOf(at)}`,
  /** One a day. */
  secondFactorFailures: (user: UserId, at: Instant) =>
    `second-factor-failures:${user}:${dayOf(at)}`,
  refreshReuse: (session: SessionId) => `refresh-reuse:${session}`,
  /** One a day for each kind of device: a browser that keeps no cookie is new each time. @param device its name */
  newDevice: (user: UserId, device: string, at: Instant) =>
    `new-device:${user}:${dayOf(at)}:${device}`,
  accessTokenCreated: (token: AccessTokenId) => `access-token-created:${token}`,
  backupCodesLow: (set: string, left: number) => `backup-codes-low:${set}:${left}`,
  /** @param id of the factor, or of the set of codes */
  factorsChanged: (change: string, id: string) => `factors-changed:${change}:${id}`,
  /** @param challenge its id */
  keyAnomaly: (challenge: string, reader: 'owner' | 'office') =>
    `key-anomaly:${challenge}${reader === 'office' ? ':office' : ''}`,
  /** @param row the id of the row of the secret */
  secretUnreadable: (row: string) => `secret-unreadable:${row}`,
  /** @param signer a user who signs; null for the author */
  signingRejected: (session: SigningSessionId, signer: UserId | null) =>
    `signing-rejected:${session}${signer === null ? '' : `:${signer}`}`,
  sessionLate: (session: SigningSessionId, deadline: Instant) =>
    `${matters.sessionLate(session)}${deadline}`,
  certificateEnding: (certificate: CertificateId, reader: AlertReader, notice: Notice) =>
    `${matters.certificateEnding(certificate)}${reader}:${notice}`,
  certificateRevoked: (certificate: CertificateId, revokedAt: Instant, reader: AlertReader) =>
    `${matters.certificateRevoked(certificate)}${revokedAt}:${reader}`,
  capacityEnding: (user: UserId, end: Instant, reader: AlertReader, notice: Notice) =>
    `${matters.capacityEnding(user)}${end}:${reader}:${notice}`,
  arcoDue: (request: ArcoRequestId, dueOn: Day, notice: 'first' | 'last' | 'over') =>
    `${matters.arcoDue(request)}${dueOn}:${notice}`,
  /** @param version of the key, which the loss made */
  yubikeyLost: (key: YubikeyId, version: number, reader: AlertReader) =>
    `${matters.yubikeyLost(key)}${version}:${reader}`,
  /** At most one a day for each machine and each of the two things that its clock is compared with. */
  clockWrong: (office: OfficeId, against: 'log' | 'authority', machine: string, at: Instant) =>
    `clock-wrong:${office}:${against}:${dayOf(at)}:${machine}`,
  /** At most one a day for each machine. */
  serverSlow: (office: OfficeId, machine: string, at: Instant) =>
    `server-slow:${office}:${dayOf(at)}:${machine}`,
  /** At most one a day for each machine and each thing that is refused. */
  diskLow: (office: OfficeId, refused: DiskUse, machine: string, at: Instant) =>
    `disk-low:${office}:${refused}:${dayOf(at)}:${machine}`,
  /** A server that is down fails every mail: at most one an hour. */
  mailFailed: (office: OfficeId, at: Instant) => `mail-failed:${office}:${hourOf(at)}`,
}

/**
 * Prefixes of the occasions of a lasting matter. For most a number follows that increments when the matter is settled,
 * so it has one alert until then and another if it recurs.
 */
export const matters = {
  providerDown: (provider: ServiceProviderId) => `provider-down:${provider}:`,
  fileDamaged: (document: DocumentId, version: number) => `file-damaged:${document}:${version}:`,
  sessionLate: (session: SigningSessionId) => `session-late:${session}:`,
  certificateEnding: (certificate: CertificateId) => `certificate-ending:${certificate}:`,
  certificateRevoked: (certificate: CertificateId) => `certificate-revoked:${certificate}:`,
  yubikeyLost: (key: YubikeyId) => `yubikey-lost:${key}:`,
  capacityEnding: (user: UserId) => `capacity-ending:${user}:`,
  /** @param since when the first of its deadlines became open; its last day, and the notice */
  deadline: (first: DeadlineId, since: Instant, dueOn: Day, notice: DeadlineNotice) =>
    `deadline:${first}:${since}:${dueOn}:${notice}:`,
  arcoDue: (request: ArcoRequestId) => `arco-due:${request}:`,
  proofsOverdue: (office: OfficeId) => `proofs-overdue:${office}:`,
  backupOverdue: (office: OfficeId) => `backup-overdue:${office}:`,
  /** @param fault its kind and place */
  auditCheck: (office: OfficeId, signing: string, fault: string) =>
    `audit-check:${office}:${signing}:${fault}:`,
}
