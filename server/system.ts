import type { KeyObject } from 'node:crypto'
import type { EventQueue } from './db/audit/event-queue.ts'
import type { Database } from './db/database.ts'
import type { LogKeys } from './domain/audit/log-keys.ts'
import type { OutgoingNetworks } from './domain/outgoing-networks.ts'
import type { Duration } from './domain/time.ts'
import type { Blobs } from './ports/blobs.ts'
import type { CheckpointFiles } from './ports/checkpoint-file.ts'
import type { Clock } from './ports/clock.ts'
import type { ConstanciaProviders } from './ports/constancia-providers.ts'
import type { Disk } from './ports/disk.ts'
import type { KeyTokens } from './ports/key-tokens.ts'
import type { LoopDelay } from './ports/loop-delay.ts'
import type { Mailer, Mailers } from './ports/mailer.ts'
import type { Memory } from './ports/memory.ts'
import type { Passwords } from './ports/passwords.ts'
import type { PdfWork } from './ports/pdf-work.ts'
import type { ReportFiles } from './ports/report-files.ts'
import type { RevocationSource } from './ports/revocation-source.ts'
import type { SignerKeys } from './ports/signer-keys.ts'
import type { TimestampAuthorities } from './ports/timestamp-authorities.ts'
import type { TrustStore } from './ports/trust-store.ts'
import type { Vault } from './ports/vault.ts'
import type { Webauthn } from './ports/webauthn.ts'

/** All outside dependencies, as promises. Types only. */
export type System = {
  readonly db: Database
  /** For events that stand alone; those of a change are appended in its transaction. */
  readonly eventQueue: EventQueue
  readonly clock: Clock
  readonly memory: Memory
  readonly loopDelay: LoopDelay
  readonly blobs: Blobs
  readonly disk: Disk
  readonly reports: ReportFiles
  readonly checkpoints: CheckpointFiles
  readonly passwords: Passwords
  readonly vault: Vault
  readonly webauthn: Webauthn
  readonly signerKeys: SignerKeys
  readonly pdf: PdfWork
  /** The same for the public, apart from the work of the offices. */
  readonly publicPdf: PdfWork
  readonly trust: TrustStore
  readonly revocation: RevocationSource
  /** The same, with the workers of the public. */
  readonly publicRevocation: RevocationSource
  readonly timestamps: TimestampAuthorities
  readonly constancias: ConstanciaProviders
  /**
   * That of the operator, for all offices; null if there is none. Then an office may have a server of its own, and without one
   * its mail stays in the outbox, where administrators can read it.
   */
  readonly mailer: Mailer | null
  readonly mailers: Mailers
  /** Null without a configured PKCS#11 module. */
  readonly tokens: KeyTokens | null
  readonly settings: Settings
}

/** Fixed at the start of the process. */
type Settings = {
  /** `https://rubrica.notaria.mx`, without a trailing slash: the only origin of cookies, links and QR codes. */
  readonly publicOrigin: string
  /** A demo says "de prueba" on every page and in every verdict. */
  readonly isDemo: boolean
  readonly uploadLimit: number
  /** The name of the machine on which the process runs, as its network knows it. */
  readonly machine: string
  /** How old the last backup may be before the administrators are alerted; null if they are not. */
  readonly backupAge: Duration | null
  /** Where services may be that an administrator adds. */
  readonly networks: OutgoingNetworks
  /** Signs the CSRF tokens; 32 random bytes, never in the database. */
  readonly csrfKey: KeyObject
  /** Derives session tokens from each other; 32 bytes, never in the database. */
  readonly tokenKey: Uint8Array
  /** Sign the checkpoints of the logs; never in the database. */
  readonly logKeys: LogKeys
}
