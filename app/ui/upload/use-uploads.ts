import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { noticeOf } from '#app/client/notice-of.ts'
import { addNotification } from '#app/client/state.ts'
import {
  type ChosenFile,
  type Fault,
  isUnsendable,
  type Shared,
  type UploadLimits,
  withFiles,
  withTitleFaults,
} from './chosen-file.ts'
import { retryTimer } from './retry-timer.ts'
import { type Sent, sendFile } from './send-file.ts'
import { faultOfTitle } from './title-of-file.ts'
import type { KnownDocument, UploadAnswer, UploadResult } from './upload-answer.ts'
import { post } from './upload-calls.ts'

export type Progress = {
  /** The file on its way: its place among those of this click, from 1. */
  place: number
  of: number
  name: string
  /** Of all of them, on the server or on their way. */
  bytes: number
  total: number
  /** `waiting`: without a connection, until the next try; `signed-out`: paused, until the user has signed in. */
  state: 'sending' | 'waiting' | 'paused' | 'signed-out'
}

type Options = {
  limits: UploadLimits
  /** The user of the page. */
  owner: string
}

/** Why sending stopped before the last file. */
type Stop = { form?: UploadAnswer; state?: 'paused' | 'signed-out' }

/**
 * The files that the user chose for this form, and their way to the server: one after the other, in parts, each with its title and
 * kind. What cannot be sent stays in the form, and another click goes on where it stopped.
 *
 * @param first the answer with which the page came, if the browser itself sent the form
 */
export function useUploads(first: UploadAnswer, { limits, owner }: Options) {
  const [answer, setAnswer] = useState(first)
  const [{ chosen, isOwn }, setList] = useState<List>({ chosen: [], isOwn: false })
  const [notes, setNotes] = useState<string[]>([])
  const [progress, setProgress] = useState<Progress>()
  const sending = useRef<AbortController>(undefined)
  const timer = useRef(retryTimer())
  /** Ids of uploads that began, by the key of their file. */
  const begun = useRef(new Map<number, string>())
  // Leaving the page ends it; what is on the server waits for the same file.
  useEffect(() => () => sending.current?.abort(), [])
  useEffect(() => {
    if (answer !== first) showFaults()
  }, [answer, first])

  const setChosen = (change: (all: ChosenFile[]) => ChosenFile[]) =>
    setList((list) => listOf(change(list.chosen), list.isOwn))
  const setFault = (key: number, fault: Fault) =>
    setChosen((all) => all.map((one) => (one.key === key ? { ...one, fault } : one)))
  const drop = (key: number) => setChosen((all) => all.filter((one) => one.key !== key))

  /** @param left out already, and why */
  function add(files: readonly File[], shared: Shared, left: readonly string[]): ChosenFile[] {
    const next = withFiles(chosen, files, { shared, limits })
    setChosen(() => next.chosen)
    setNotes([...next.notes, ...left])
    setAnswer(withoutFileErrors)
    return next.chosen
  }
  function remove(key: number) {
    drop(key)
    discard(key)
    setAnswer(withoutFileErrors)
    // It may be the one that waits.
    setProgress(undefined)
  }
  const change = (key: number, part: Partial<Pick<ChosenFile, 'title' | 'kind' | 'isGuessed'>>) =>
    setChosen((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))

  function discard(key: number) {
    const id = begun.current.get(key)
    begun.current.delete(key)
    if (id) void post(`/${id}/discard`, undefined)
  }

  /** What the user must mend before anything is sent. */
  function faultsBefore(form: HTMLFormElement): UploadAnswer | undefined {
    if (!isOwn) {
      const title = String(new FormData(form).get('title'))
      const fault = faultOfTitle(title, limits.title)
      return fault ? { errors: { title: [fault] } } : undefined
    }
    const checked = withTitleFaults(chosen, limits.title)
    setChosen(() => checked)
    return checked.some(({ fault }) => fault?.about === 'title') ? {} : undefined
  }

  async function sendAll(form: HTMLFormElement, { signal }: AbortController): Promise<void> {
    const files = chosen.filter((one) => !isUnsendable(one))
    const total = files.reduce((sum, { file }) => sum + file.size, 0)
    const result: UploadResult = { stored: [], refused: unsendable(chosen), isCutShort: false }
    const known: KnownDocument[] = []
    let before = 0
    let stop: Stop | undefined
    for (const [index, one] of files.entries()) {
      const shown = { place: index + 1, of: files.length, name: one.file.name, total }
      const show = (bytes: number, state: Progress['state'] = 'sending') =>
        setProgress({ ...shown, bytes: before + bytes, state })
      let bytes = 0
      show(0)
      const sent = await sendFile(one.file, {
        ...{ owner, signal },
        fields: fieldsOf(form, isOwn ? one : undefined),
        onBegun: (id) => begun.current.set(one.key, id),
        onSent(now) {
          bytes = now
          if (!signal.aborted) show(now)
        },
        async mayRetry(attempt, status) {
          if (attempt === 0) notify({ status })
          show(bytes, 'waiting')
          return await timer.current.wait(attempt, signal)
        },
      })
      if (sent.kind === 'stored' && !isOwn) {
        // The form stays busy meanwhile: a second click would send it twice.
        location.assign(`/dashboard/documents/${sent.document.id}`)
        return
      }
      stop = settle(one, sent, { result, known })
      if (stop?.state) show(bytes, stop.state)
      if (stop) break
      before += one.file.size
    }
    sending.current = undefined
    form.removeAttribute('aria-busy')
    if (!stop?.state) setProgress(undefined)
    const found = known.length > 0 && { known }
    if (stop?.form) setAnswer({ ...stop.form, ...found })
    else if (isOwn && (result.stored.length > 0 || result.refused.length > 0))
      setAnswer({ uploadResult: result, ...found })
    else if (found) setAnswer(found)
  }

  /** Notes what became of a file. @returns why the others are not sent */
  function settle(
    one: ChosenFile,
    sent: Sent,
    { result, known }: { result: UploadResult; known: KnownDocument[] },
  ): Stop | undefined {
    switch (sent.kind) {
      case 'stored': {
        begun.current.delete(one.key)
        drop(one.key)
        // Identical files are one document.
        if (result.stored.every(({ id }) => id !== sent.document.id))
          result.stored.push(sent.document)
        return undefined
      }
      case 'known': {
        const { document } = sent
        if (known.every(({ id }) => id !== document.id)) known.push(document)
        return undefined
      }
      case 'refused': {
        const { sentence } = sent
        discard(one.key)
        setFault(one.key, { sentence, about: 'file' })
        result.refused.push({ place: one.key, name: one.file.name, sentence })
        return isOwn ? undefined : { form: { errors: { file: [sentence] } } }
      }
      case 'invalid': {
        const { errors } = sent
        const sentence = isOwn ? errors.title?.[0] : undefined
        if (!sentence) return { form: { errors } }
        setFault(one.key, { sentence, about: 'title' })
        result.refused.push({ place: one.key, name: one.file.name, sentence })
        return undefined
      }
      case 'paused':
        return { state: 'paused' }
      case 'stopped': {
        if (sent.status === 401) return { state: 'signed-out' }
        notify(sent)
        return { state: 'paused' }
      }
    }
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>) {
    // The browser sends the form itself.
    if (!crypto.subtle) return
    event.preventDefault()
    // Without a connection the click is the next try.
    if (sending.current) return timer.current.wake()
    const form = event.currentTarget
    setNotes([])
    const faults = faultsBefore(form)
    if (faults) return setAnswer(faults)
    const controller = new AbortController()
    sending.current = controller
    form.setAttribute('aria-busy', 'true')
    void sendAll(form, controller)
  }

  const pause = () => sending.current?.abort()

  return { answer, chosen, isOwn, notes, progress, add, remove, change, pause, onSubmit }
}

/** `isOwn`: each file has a title and a kind of its own, from the second file on and until the list is empty. */
type List = { chosen: ChosenFile[]; isOwn: boolean }

const listOf = (chosen: ChosenFile[], wasOwn: boolean): List => ({
  chosen,
  isOwn: chosen.length > 1 || (wasOwn && chosen.length > 0),
})

/** @param own undefined for a single file, which has the title and kind of the form */
function fieldsOf(form: HTMLFormElement, own: ChosenFile | undefined): FormData {
  const fields = new FormData(form)
  fields.delete('file')
  // That of the page may be of a session that is over.
  fields.delete('csrf')
  if (!own) fields.set('alone', 'yes')
  else {
    fields.set('title', own.title)
    fields.set('kind', own.kind)
  }
  return fields
}

const unsendable = (chosen: readonly ChosenFile[]): UploadResult['refused'] =>
  chosen.flatMap(({ key, file, fault }) =>
    fault?.about === 'unsendable'
      ? [{ place: key, name: file.name, sentence: fault.sentence }]
      : [],
  )

function withoutFileErrors(answer: UploadAnswer): UploadAnswer {
  const { known: _known, ...rest } = answer
  if (!rest.errors?.file) return answer.known ? rest : answer
  const { file: _file, ...errors } = rest.errors
  return { ...rest, errors }
}

function notify({ status, sentence }: { status: number; sentence?: string | undefined }) {
  const { type, message } = noticeOf(status)
  addNotification({ type, message: sentence ?? message })
}

function showFaults() {
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus()
}
