/** What the server asks of a process that works for strangers. */
export type ToProcess =
  | { kind: 'run'; id: number; name: string; task: unknown }
  | { kind: 'abort'; id: number }

/** What the process answers. An error travels by its parts: its class would be lost on the way. */
export type FromProcess =
  /** It can work. Before this, its end says nothing about any file. */
  | { kind: 'ready' }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; error: SentError }

export type SentError = {
  name: string
  message: string
  stack?: string | undefined
  code?: string | undefined
}
