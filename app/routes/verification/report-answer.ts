import { attachment } from '#app/http/file-answer.ts'
import { visibleJson } from '#server/domain/text/shown-text.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { printReport } from '#server/words/verification/print-report.ts'

type Headers = { name: string; type: string }

/** Returns a report as an uncached download. */
export function reportAnswer(body: string | Uint8Array, name: string, type: string): Response {
  const bytes = Buffer.from(body)
  return fileOnce(bytes, { name, type, size: bytes.length })
}

/** Returns a download that is not stored anywhere. */
export const fileOnce = (
  body: ReadableStream<Uint8Array> | Buffer<ArrayBuffer>,
  { name, type, size }: Headers & { size: number },
) =>
  new Response(body, {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(name),
      'Content-Length': String(size),
      'Content-Type': type,
      'X-Robots-Tag': 'noindex',
    },
  })

/** The report as JSON, with the time of verification. */
export function reportAsJson(
  report: VerificationReport,
  { verifiedAt, isDemo }: { verifiedAt: Instant; isDemo: boolean },
): string {
  const forTesting = isDemo || report.signatures.some((signature) => signature.forTesting)
  const file = { ...printReport(report), verifiedAt: toTimestamp(verifiedAt), forTesting }
  return `${visibleJson(file, 2)}\n`
}
