import path from 'node:path'
import { openFile } from '#server/adapters/file-source.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { describeReport } from './describe-report.ts'
import { orUsageError, readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica verify`: one report a file, in the order asked. A file that cannot be opened is named on standard
 * error and hides nothing about the others.
 *
 * @returns 0 when every verdict is VALID, 2 when a file could not be opened, else 1
 * @throws {UsageError}
 */
export async function verify(
  args: string[],
  workingFolder: string,
  now = Date.now() as Instant,
): Promise<number> {
  const { values, positionals } = readArguments(args, {
    json: { type: 'boolean' },
    trust: { type: 'string' },
    at: { type: 'string' },
  })
  if (positionals.length === 0) throw new UsageError('Falta el archivo que se debe verificar.')
  const at = values.at === undefined ? now : readTime(values.at)
  const policy = { ...trustFrom(values.trust, workingFolder), at }
  const print = values.json ? JSON.stringify : describeReport
  const statuses = positionals.map((file) => {
    const source = tryToOpen(file, workingFolder)
    if (!source) return 2
    const report = verifyAndClose(source, file, policy)
    console.log(print(report))
    return report.verdict === 'VALID' ? 0 : 1
  })
  return Math.max(...statuses)
}

function tryToOpen(file: string, workingFolder: string) {
  try {
    return openFile(path.resolve(workingFolder, file))
  } catch {
    console.error(`No se puede leer ${file}.`)
    return undefined
  }
}

function verifyAndClose(
  source: ReturnType<typeof openFile>,
  file: string,
  policy: VerificationPolicy,
) {
  try {
    return verifyFile(source, file, policy)
  } finally {
    source.close()
  }
}

function readTime(text: string): Instant {
  return orUsageError(
    () => `--at espera una fecha como 2026-11-20T15:05:00Z, no «${text}».`,
    () => parseInstant(text),
  )
}
