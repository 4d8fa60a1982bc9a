import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import {
  PAGES_OF_VIEW,
  type ReaderView,
  readerStateOf,
  type ShownPage,
} from '#app/ui/reader/reader-view.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { type ReadPage, readPages } from '#server/features/documents/read-pages.ts'

type Shown = {
  id: DocumentId
  version: number
  pages: number
  /** Address of the document. */
  address: string
}

/** Reads the texts of the pages that the address asks for. @throws {Response} see `orErrorPage` */
export async function loadReader(
  { id, version, pages, address }: Shown,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<ReaderView> {
  const state = readerStateOf(url.searchParams, pages)
  const view = { document: address, version, pages, state }
  if (pages === 0) return { ...view, shown: [] }
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(
    readPages(system, actor, {
      ...{ documentId: id, version, first: state.page, count: PAGES_OF_VIEW },
      purpose: 'pictures',
    }),
  )
  const size = read.pages.find(({ text }) => text)?.text ?? LETTER
  return { ...view, shown: read.pages.map((page) => shownPage(page, size)) }
}

/** In points: the size of a page of which nothing is known. */
const LETTER = { width: 612, height: 792 }

function shownPage({ page, text }: ReadPage, usual: typeof LETTER): ShownPage {
  const { width, height } = text ?? usual
  return { page, width, height, lines: text?.lines ?? [], text: kindOf(text) }
}

function kindOf(text: ReadPage['text']): ShownPage['text'] {
  if (!text) return 'unknown'
  if (text.lines.length === 0) return 'none'
  return text.isCut ? 'cut' : 'whole'
}
