import { answerTo } from '#app/http/problems.ts'
import type { StreamedFiles } from '#app/http/stream-files.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import type { Problem } from '#server/domain/problem.ts'
import {
  type Brought,
  type BroughtFile,
  MOST_AT_ONCE,
} from '#server/features/documents/upload-documents.ts'

/** Names beyond what a form may bring are told as refused; where even these end, the form is broken. */
export const MOST_LOOKED_AT = 5 * MOST_AT_ONCE

/** Each file with its name as it may be shown. */
export async function* named(files: StreamedFiles): AsyncGenerator<BroughtFile> {
  for await (const { name, chunks } of files)
    yield { fileName: FileName.parse(name), content: chunks }
}

/**
 * The document of a form with one file; undefined for one with several.
 *
 * @throws {Problem} what is wrong with the only file
 */
export function alone({ stored, refused, cutShort }: Brought): Document | undefined {
  if (stored.length + refused.length !== 1 || cutShort) return undefined
  if (refused[0]) throw refused[0].problem
  return stored[0]
}

export type ShownBrought = {
  stored: Pick<Document, 'id' | 'folio' | 'title' | 'state'>[]
  refused: { name: string; sentence: string }[]
  isCutShort: boolean
}

/** What became of each file of a form with several: the status of the whole, and what its page shows. */
export function answerToSeveral({ stored, refused, cutShort }: Brought, megabytes: number) {
  const worst = cutShort ?? refused[0]?.problem
  const brought: ShownBrought = {
    // The same file twice is one document.
    stored: [...new Map(stored.map((document) => [document.id, document])).values()].map(
      ({ id, folio, title, state }) => ({ id, folio, title, state }),
    ),
    refused: refused.map(({ fileName, problem }) => ({
      name: fileName,
      sentence: sentenceFor(problem, megabytes),
    })),
    isCutShort: cutShort !== null,
  }
  return { brought, status: worst ? answerTo(worst).status : 200 }
}

function sentenceFor(problem: Problem, megabytes: number): string {
  if (problem.code !== 'too-large') return answerTo(problem).sentence
  return `El archivo supera el límite de ${megabytes} MB. No se guardó; elija uno más pequeño.`
}
