import { countEvents, listLogs } from '#server/db/audit/logs.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { listKeyVersions } from '#server/db/sealed-rows.ts'
import { listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { isScarce } from '#server/domain/installation/disk-floor.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import { seconds } from '#server/domain/time.ts'
import { listMailRoutes } from '#server/steps/mail/find-mailer.ts'
import { requestTimestamp } from '#server/steps/signing/request-timestamp.ts'
import type { System } from '#server/system.ts'
import { sentenceOfLogFault } from '#server/words/log-faults.ts'
import { reasonOfTimestampFailure } from '#server/words/timestamp-failures.ts'
import { examineFiles } from './examine-files.ts'

/** What is known before. */
export type Known = {
  /** Of the whole log; undefined if it holds. */
  logFault: LogFault | undefined
  folders: Folders
}

export type Folders = {
  secretsInData: string | undefined
  /** The folder of the keys, if they are of another installation. */
  otherKeys: string | undefined
  free: number
  total: number
  sealingKeys: ReadonlySet<number>
}

/** A timestamp is a second old at most when it arrives; more is the clock of this machine. */
const MOST_DIFFERENCE = seconds(60)

/**
 * Examines whether the installation has lost something, and whether it lacks something. Changes nothing. May run beside
 * the server.
 *
 * @param isHashed reads every stored file whole
 */
export async function* examineInstallation(
  system: System,
  { logFault, folders }: Known,
  isHashed: boolean,
): AsyncGenerator<Finding> {
  yield* examineData(system, { logFault, folders }, isHashed)
  yield await mailFinding(system)
  for (const office of await listOffices(system.db)) {
    yield* await timestampFindings(system, office)
    yield* await constanciaFindings(system, office)
  }
}

/** The part that sends no requests: whether the data is whole, and has its keys and room. */
export async function* examineData(
  system: System,
  { logFault, folders }: Known,
  isHashed: boolean,
): AsyncGenerator<Finding> {
  const { otherKeys } = folders
  // First: it may explain the others.
  if (otherKeys)
    yield { code: 'keys-of-another', level: 'fault', parameters: { folder: otherKeys } }
  yield await logFinding(system, logFault)
  yield* await examineFiles(system, isHashed)
  yield* keyFindings(folders, await listKeyVersions(system.db))
  yield diskFinding(folders)
}

async function logFinding({ db }: System, fault: LogFault | undefined): Promise<Finding> {
  let events = 0
  for (const { number } of await listLogs(db)) events += await countEvents(db, number)
  return fault
    ? { code: 'log-broken', level: 'fault', parameters: { fault: sentenceOfLogFault(fault) } }
    : { code: 'log-holds', level: 'good', parameters: { events } }
}

function keyFindings(folders: Folders, used: Iterable<number>): Finding[] {
  const { secretsInData } = folders
  return [
    ...heldFinding(folders, used),
    ...(secretsInData === undefined
      ? []
      : [
          {
            code: 'secrets-beside-data',
            level: 'warning',
            parameters: { folder: secretsInData },
          } as const,
        ]),
  ]
}

function heldFinding({ sealingKeys, otherKeys }: Folders, used: Iterable<number>): Finding[] {
  const missing = [...used].filter((version) => !sealingKeys.has(version))
  if (missing.length > 0) {
    const versions = missing.toSorted((a, b) => a - b).join(', ')
    return [{ code: 'sealing-keys-missing', level: 'fault', parameters: { versions } }]
  }
  return otherKeys ? [] : [{ code: 'keys-held', level: 'good', parameters: {} }]
}

function diskFinding({ free, total }: Folders): Finding {
  const percent = Math.floor((100 * free) / total)
  const megabytes = Math.floor(free / 1024 ** 2)
  const parameters = { gigabytes: Math.floor(megabytes / 1024), megabytes, percent }
  return isScarce({ free, total })
    ? { code: 'disk-low', level: 'fault', parameters }
    : { code: 'disk-free', level: 'good', parameters }
}

async function mailFinding(system: System): Promise<Finding> {
  const routes = await listMailRoutes(system)
  if (routes.length === 0) return { code: 'mail-missing', level: 'warning', parameters: {} }
  const answers = await Promise.all(routes.map(({ mailer }) => mailer.reach()))
  const silent = answers.flatMap((one) => (one.kind === 'unreachable' ? [one.answer] : []))
  return silent.length === 0
    ? { code: 'mail-answers', level: 'good', parameters: {} }
    : { code: 'mail-silent', level: 'fault', parameters: { reason: silent.join('; ') } }
}

/** Asks for a timestamp over nothing of the office, and compares its time with the clock. */
async function timestampFindings(system: System, { id, name }: Office): Promise<Finding[]> {
  const { db, clock, trust } = system
  const providers = await listServiceProviders(db, id, 'timestamp')
  if (providers.length === 0)
    return [{ code: 'timestamps-missing', level: 'warning', parameters: { office: name } }]
  const policy = await trust.policy(clock.now(), id)
  const outcome = await requestTimestamp(system, { id }, new Uint8Array(32), policy)
  if (outcome.kind === 'unavailable') {
    const reasons = outcome.failures.map(
      (failure) => `${failure.name}: ${reasonOfTimestampFailure(failure)}`,
    )
    return [
      {
        code: 'timestamps-silent',
        level: 'fault',
        parameters: { office: name, reasons: reasons.join('; ') },
      },
    ]
  }
  const difference = Math.abs(clock.now() - outcome.time)
  return [
    {
      code: 'timestamps-answer',
      level: 'good',
      parameters: { office: name, authority: outcome.by },
    },
    difference > MOST_DIFFERENCE
      ? {
          code: 'clock-wrong',
          level: 'fault',
          parameters: { seconds: Math.round(difference / seconds(1)) },
        }
      : { code: 'clock-right', level: 'good', parameters: {} },
  ]
}

async function constanciaFindings(
  { db, constancias }: System,
  { id, name: office }: Office,
): Promise<Finding[]> {
  const providers = await listServiceProviders(db, id, 'constancia')
  if (providers.length === 0)
    return [{ code: 'constancias-missing', level: 'warning', parameters: { office } }]
  return await Promise.all(
    providers.map(async (provider): Promise<Finding> => {
      const reason = await constancias.reach(provider)
      const parameters = { office, provider: provider.name }
      return reason === undefined
        ? { code: 'constancias-reached', level: 'good', parameters }
        : { code: 'constancias-unreachable', level: 'fault', parameters: { ...parameters, reason } }
    }),
  )
}
