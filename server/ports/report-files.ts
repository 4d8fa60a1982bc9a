import type { ReportFormat } from '#server/domain/reports/report-format.ts'
import type { FileHead, ReportPiece } from '#server/domain/reports/report-piece.ts'

/** Writes the files of reports, outside of this thread. */
export type ReportFiles = {
  /**
   * Streams a file; takes the next piece when the last one is written. Of a workbook with one table the memory does not grow with its rows;
   * one with several holds them all.
   *
   * @param isLong a workbook of one table, with as many rows as there are
   * @throws {Error} what the pieces throw
   */
  write(
    format: Exclude<ReportFormat, 'csv'>,
    head: FileHead,
    pieces: AsyncIterable<ReportPiece> | Iterable<ReportPiece>,
    options: { isLong: boolean },
  ): AsyncIterable<Uint8Array>
}
