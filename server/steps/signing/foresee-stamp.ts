import type { CurrentDocument } from '#server/db/documents/current-documents.ts'
import { Problem } from '#server/domain/problem.ts'
import { stampFor } from '#server/domain/signing/plan-signature.ts'
import type { StampForecast } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { CacheOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'

/** By office, content and choice: users who open a page again and again have its file read once. */
const FORECASTS: CacheOf<Promise<StampForecast>> = { name: 'stamp-forecasts', capacity: 1_000 }

/**
 * Where the next signature in a document that arrived signed will be visible, or why it will not. Undefined for a
 * document that has a signature sheet, and while its file cannot be read: signing reports that.
 */
export async function foreseeStamp(
  { blobs, pdf, memory, settings }: Pick<System, 'blobs' | 'pdf' | 'memory' | 'settings'>,
  { document, version, arrivedSigned }: CurrentDocument,
): Promise<StampForecast | undefined> {
  const stamp = stampFor({ ...settings, document, arrivedSigned })
  if (!stamp) return undefined
  const forecasts = memory.cache(FORECASTS)
  const wanted = JSON.stringify([stamp.choice, stamp.publicAddress !== null])
  const key = `${version.officeId} ${version.sha256} ${wanted}`
  const read = () => blobs.withFile(version, (file) => pdf.stampOutlook(file, { stamp }))
  try {
    const found = forecasts.find(key)
    return await (found ??
      forecasts.keep(
        key,
        read().then(({ forecast }) => forecast),
      ))
  } catch (error) {
    forecasts.forget(key)
    if (error instanceof Problem) return undefined
    throw error
  }
}
