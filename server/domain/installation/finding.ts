/**
 * One thing that an examination of the installation looked at. `fault`: something is lost or does not work;
 * `warning`: it works, and something is missing that an office should have.
 */
export type Finding = { [Code in keyof Findings]: { code: Code } & Findings[Code] }[keyof Findings]

type Findings = {
  /** Nothing else can be examined: a key or the database is lost, or cannot be reached. */
  'does-not-start': { level: 'fault'; parameters: { reason: string } }
  /** They open no secret of the database, and every checkpoint of the log looks false. */
  'keys-of-another': { level: 'fault'; parameters: { folder: string } }
  'log-holds': { level: 'good'; parameters: { events: number } }
  /** @see LogFault */
  'log-broken': { level: 'fault'; parameters: { fault: string } }
  'files-held': { level: 'good'; parameters: { files: number; hashed: boolean } }
  'files-missing': { level: 'fault'; parameters: { files: number; first: string } }
  'files-damaged': { level: 'fault'; parameters: { files: number; first: string } }
  /** Nothing is known about the files: their store does not answer. */
  'files-unreachable': { level: 'fault'; parameters: { reason: string } }
  /** Files of an earlier release that are not encrypted yet, or that no document has. */
  'files-plain': { level: 'warning'; parameters: { files: number } }
  'keys-held': { level: 'good'; parameters: Record<string, never> }
  'sealing-keys-missing': { level: 'fault'; parameters: { versions: string } }
  'secrets-beside-data': { level: 'warning'; parameters: { folder: string } }
  'disk-free': { level: 'good'; parameters: Space }
  'disk-low': { level: 'fault'; parameters: Space }
  'backup-held': { level: 'good'; parameters: BackupAge }
  /** Older than `BACKUP_DAYS`. */
  'backup-overdue': { level: 'warning'; parameters: BackupAge }
  'backup-missing': { level: 'warning'; parameters: Record<string, never> }
  'mail-answers': { level: 'good'; parameters: Record<string, never> }
  'mail-silent': { level: 'fault'; parameters: { reason: string } }
  'mail-missing': { level: 'warning'; parameters: Record<string, never> }
  'timestamps-missing': { level: 'warning'; parameters: { office: string } }
  'timestamps-answer': { level: 'good'; parameters: { office: string; authority: string } }
  'timestamps-silent': { level: 'fault'; parameters: { office: string; reasons: string } }
  'constancias-missing': { level: 'warning'; parameters: { office: string } }
  'constancias-reached': { level: 'good'; parameters: { office: string; provider: string } }
  'constancias-unreachable': {
    level: 'fault'
    parameters: { office: string; provider: string; reason: string }
  }
  'clock-right': { level: 'good'; parameters: Record<string, never> }
  'clock-wrong': { level: 'fault'; parameters: { seconds: number } }
}

/** When the last backup was made, in UTC, and how many whole days ago. */
type BackupAge = { madeAt: string; days: number }

type Space = { gigabytes: number; megabytes: number; percent: number }
