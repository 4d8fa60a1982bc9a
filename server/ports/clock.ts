import type { Instant } from '#server/domain/time.ts'

export type Clock = { now(): Instant }
