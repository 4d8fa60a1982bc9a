/* The thread that writes one file. It asks for each piece, so that no more wait than are written. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import type { ReportPiece } from '#server/domain/reports/report-piece.ts'
import { tablesAsPdf } from '#server/domain/signing/table-paper.ts'
import type { FromThread, Order, ToThread } from './messages.ts'
import { longWorkbook, workbook } from './workbook.ts'

const { format, head, isLong } = workerData as Order
const port = parentPort!
const tell = (message: FromThread) => port.postMessage(message)

let answer: ((message: ToThread) => void) | undefined
port.on('message', (message: ToThread) => answer?.(message))

function ask(): Promise<ToThread> {
  const asked = new Promise<ToThread>((resolve) => {
    answer = resolve
  })
  tell({ kind: 'next' })
  return asked
}

async function* pieces(): AsyncGenerator<ReportPiece> {
  for (;;) {
    const piece = await ask()
    if (piece.kind === 'end') return
    yield piece
  }
}

async function* written(): AsyncGenerator<Uint8Array> {
  if (format === 'pdf') yield await tablesAsPdf(head, pieces(), loadSheetFonts())
  else if (isLong) yield* longWorkbook(head, pieces())
  else yield await workbook(head, pieces())
}

try {
  for await (const bytes of written()) tell({ kind: 'written', bytes })
  tell({ kind: 'done' })
} catch (error) {
  tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
port.close()
