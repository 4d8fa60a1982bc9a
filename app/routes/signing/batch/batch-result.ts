import { z } from 'zod'
import { readCookie, setCookie } from '#app/http/cookies/cookies.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import type { ManyResult } from '#server/features/signatures/sign-many-on-server.ts'
import { sentenceOfCode } from '#server/words/problems.ts'

/** The result of one batch, for the next page. */
export type BatchResult = {
  signed: ResultRow[]
  refused: (ResultRow & { sentence: string })[]
}
type ResultRow = { id: string; folio: string }

/** The cookie holds codes, not texts, so a client cannot inject text; it is bound to the signer. */
const Kept = z.object({
  owner: z.uuid(),
  rows: z.array(z.tuple([z.uuid(), z.string().max(40), z.string().max(60)])).max(50),
})

const TIME_TO_READ_SECONDS = 600

const ownerOf = (by: Signatory): string => (by.kind === 'guest' ? by.signerId : by.userId)

/** Returns a `Set-Cookie` value. */
export function batchResultCookie(by: Signatory, results: readonly ManyResult[]): string {
  const rows = results.map(({ id, folio, code }) => [id, folio, code])
  const kept = JSON.stringify({ owner: ownerOf(by), rows })
  return setCookie('__Host-batch', kept, TIME_TO_READ_SECONDS)
}

export function readBatchResult(request: Request, by: Signatory): BatchResult | undefined {
  const kept = Kept.safeParse(parsed(readCookie(request, '__Host-batch')))
  if (!kept.success || kept.data.owner !== ownerOf(by)) return undefined
  const signed: BatchResult['signed'] = []
  const refused: BatchResult['refused'] = []
  for (const [id, folio, code] of kept.data.rows) {
    const sentence = sentenceOfCode(code)
    if (code === 'signed') signed.push({ id, folio })
    else if (sentence) refused.push({ id, folio, sentence })
  }
  return { signed, refused }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
