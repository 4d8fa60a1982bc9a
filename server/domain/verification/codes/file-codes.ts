import type { NoParameters } from './coded-fact.ts'

/** What is odd about a file as a whole. */
export type FileCodes = {
  /** The file is encrypted and cannot be opened, so that its signatures cannot be read. */
  'signatures-encrypted': NoParameters
  /** A part of the file cannot be read and may contain signatures. */
  'part-unreadable': NoParameters
  /** The cross-reference is damaged: readers rebuild it, each in its own way. */
  'cross-reference-damaged': NoParameters
  /** A part of the document is written twice: readers may see two documents. */
  'written-in-two-ways': NoParameters
  /** Bytes stand after the end of the document. */
  'data-after-document': NoParameters
  /** Bytes stand in front of the document. */
  'data-before-document': NoParameters
  /** Some references are inexact and were corrected when they were read. */
  'references-corrected': NoParameters
  /** The file is encrypted and opens without a password. */
  encrypted: NoParameters
  /** The file has more signatures than the report lists; the verdict is about all of them. */
  'signatures-left-out': { total: number; listed: number }
  /** There are more changes after the signatures than the report lists, which are the worst. */
  'changes-left-out': { total: number; listed: number }
  /** The signatures lock more fields by name than the report lists. */
  'fields-left-out': { total: number; listed: number }
  /** There are more timestamps over the signatures than the report lists. */
  'timestamps-left-out': { total: number; listed: number }
  /** There are more remarks about the signatures than the report lists. */
  'warnings-left-out': { total: number; listed: number }
  /** Reading the file takes more work than an honest file does. */
  'too-complex-to-read': NoParameters
}
