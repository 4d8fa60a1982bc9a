import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileHead, ReportPiece } from '#server/domain/reports/report-piece.ts'

/** What a thread is started with. */
export type Order = { format: Exclude<ReportFormat, 'csv'>; head: FileHead; isLong: boolean }

export type ToThread = ReportPiece | { kind: 'end' }

export type FromThread =
  | { kind: 'next' }
  | { kind: 'written'; bytes: Uint8Array }
  | { kind: 'done' }
  | { kind: 'failed'; reason: string }
