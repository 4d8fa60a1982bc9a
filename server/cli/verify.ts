import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { openFile } from '#server/adapters/file-source.ts'
import { formatInstant, type Instant, parseInstant } from '#server/domain/time.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { readArguments, trustFrom, UsageError } from './usage.ts'

/**
 * `rubrica verify`: one report a file, in the order asked.
 *
 * @returns 0 when every verdict is VALID, else 1
 * @throws {UsageError}
 */
export async function verify(args: string[], workingFolder: string): Promise<number> {
  const { values, positionals } = readArguments(args, {
    json: { type: 'boolean' },
    trust: { type: 'string' },
    at: { type: 'string' },
  })
  if (positionals.length === 0) throw new UsageError('Falta el archivo que se debe verificar.')
  const policy = { ...trustFrom(values.trust, workingFolder), at: readTime(values.at) }
  for (const file of positionals) mustBeFile(file, workingFolder)

  let isAllValid = true
  for (const file of positionals) {
    const report = verifyOne(file, workingFolder, policy)
    isAllValid &&= report.verdict === 'VALID'
    console.log(values.json ? JSON.stringify(report) : describe(report))
  }
  return isAllValid ? 0 : 1
}

function verifyOne(
  file: string,
  workingFolder: string,
  policy: VerificationPolicy,
): VerificationReport {
  const source = openFile(path.resolve(workingFolder, file))
  try {
    return verifyFile(source, file, policy)
  } finally {
    source.close()
  }
}

function mustBeFile(file: string, workingFolder: string): void {
  const full = path.resolve(workingFolder, file)
  if (!existsSync(full) || !statSync(full).isFile()) throw new UsageError(`No existe ${file}.`)
}

function readTime(text: string | undefined): Instant {
  if (text === undefined) return Date.now() as Instant
  try {
    return parseInstant(text)
  } catch (error) {
    throw new UsageError(`--at espera una fecha como 2026-11-20T15:05:00Z, no «${text}».`, {
      cause: error,
    })
  }
}

function describe(report: VerificationReport): string {
  return [
    `${report.file}: ${report.sentence} [${report.verdict}]`,
    `  SHA-256 ${report.sha256}`,
    ...report.signatures.flatMap(describeSignature),
    ...report.warnings.map((warning) => `  ! ${warning}`),
  ].join('\n')
}

function describeSignature(signature: SignatureReport): string[] {
  const { signer, claimedTime } = signature
  const who = signer
    ? `${signer.name}${signer.rfc ? `, RFC ${signer.rfc}` : ''}`
    : 'firmante desconocido'
  const when = claimedTime ? `, ${formatInstant(Date.parse(claimedTime) as Instant)}` : ''
  return [
    `  ${signature.field || '(sin campo)'}: ${who}${when}`,
    `    íntegra: ${yes(signature.intact)} · válida: ${yes(signature.valid)} · de confianza: ${yes(signature.trusted)}`,
    `    cobertura ${signature.coverage} · cambios ${signature.modification} · nivel ${signature.level}`,
    ...signature.changes.map((change) => `    - ${change.sentence}`),
    ...signature.warnings.map((warning) => `    ! ${warning}`),
  ]
}

const yes = (value: boolean) => (value ? 'sí' : 'no')
