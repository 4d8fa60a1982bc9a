import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { noticeOf } from '#app/client/notice-of.ts'
import { addNotification } from '#app/client/state.ts'
import {
  type ChosenFile,
  isUnsendable,
  type Shared,
  type UploadLimits,
  withFiles,
  withTitleFaults,
} from './chosen-file.ts'
import { sendForm } from './send-form.ts'
import { faultOfTitle } from './title-of-file.ts'
import type { UploadAnswer, UploadResult } from './upload-answer.ts'

/** Which of several files is on its way. */
export type Progress = { place: number; of: number; name: string }

/**
 * The files that the user chose for this form, and their way to the server: a single one as the form itself, several one by one,
 * each with its own title and kind. If one cannot be sent, everything stays in the form.
 *
 * @param first the answer with which the page came, if the browser itself sent the form
 */
export function useUploads(first: UploadAnswer, limits: UploadLimits) {
  const [answer, setAnswer] = useState(first)
  const [{ chosen, isOwn }, setList] = useState<List>({ chosen: [], isOwn: false })
  const [notes, setNotes] = useState<string[]>([])
  const [progress, setProgress] = useState<Progress>()
  const sent = useRef<AbortController>(undefined)
  // As if the browser sent it: leaving the page ends it.
  useEffect(() => () => sent.current?.abort(), [])
  useEffect(() => {
    if (answer !== first) showFaults()
  }, [answer, first])

  const setChosen = (change: (all: ChosenFile[]) => ChosenFile[]) =>
    setList((list) => listOf(change(list.chosen), list.isOwn))

  /** @param left out already, and why */
  function add(files: readonly File[], shared: Shared, left: readonly string[]): ChosenFile[] {
    const next = withFiles(chosen, files, { shared, limits })
    setChosen(() => next.chosen)
    setNotes([...next.notes, ...left])
    setAnswer(withoutFileErrors)
    return next.chosen
  }
  function remove(key: number) {
    setChosen((all) => all.filter((one) => one.key !== key))
    setAnswer(withoutFileErrors)
  }
  const change = (key: number, part: Partial<Pick<ChosenFile, 'title' | 'kind' | 'isGuessed'>>) =>
    setChosen((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))

  /** @returns whether the form stays, and another click may send it */
  async function sendAlone(form: HTMLFormElement, signal: AbortSignal): Promise<boolean> {
    const body = new FormData(form)
    const fault = faultOfTitle(String(body.get('title')), limits.title)
    if (fault) {
      setAnswer({ errors: { title: [fault] } })
      return true
    }
    const outcome = await sendForm<UploadAnswer>(body, signal)
    if (signal.aborted) return false
    // The form stays busy meanwhile: a second click would send it twice.
    if (outcome.kind === 'next') location.assign(outcome.address)
    else if (outcome.kind === 'answer') {
      const sentence = outcome.answer.errors?.file?.[0]
      if (sentence)
        setChosen((all) => all.map((one) => ({ ...one, fault: { sentence, about: 'file' } })))
      setAnswer(outcome.answer)
    } else notify(outcome)
    return outcome.kind !== 'next'
  }

  async function sendSeveral(form: HTMLFormElement, signal: AbortSignal): Promise<boolean> {
    const checked = withTitleFaults(chosen, limits.title)
    setChosen(() => checked)
    setNotes([])
    if (checked.some(({ fault }) => fault?.about === 'title')) {
      setAnswer({})
      return true
    }
    const files = checked.filter((one) => !isUnsendable(one))
    const stored: UploadResult['stored'] = []
    let left: ChosenFile[] = checked
    const settle = (done: ChosenFile, fault?: ChosenFile['fault']) => {
      left = fault
        ? left.map((one) => (one === done ? { ...one, fault } : one))
        : left.filter((one) => one !== done)
      const now = left
      setChosen(() => now)
    }
    for (const [index, one] of files.entries()) {
      setProgress({ place: index + 1, of: files.length, name: one.file.name })
      const outcome = await sendForm<UploadAnswer>(bodyOfOne(form, one), signal)
      if (signal.aborted) return false
      if (outcome.kind === 'next') {
        location.assign(outcome.address)
        return false
      }
      if (outcome.kind === 'unsent') {
        notify(outcome)
        break
      }
      const { errors = {}, uploadResult } = outcome.answer
      if (uploadResult) {
        stored.push(...uploadResult.stored)
        const refused = uploadResult.refused[0]
        settle(one, refused && { sentence: refused.sentence, about: 'file' })
      } else if (errors.title?.[0]) settle(one, { sentence: errors.title[0], about: 'title' })
      else if (errors.file?.[0]) settle(one, { sentence: errors.file[0], about: 'file' })
      else {
        setAnswer(outcome.answer)
        return true
      }
    }
    setProgress(undefined)
    setAnswer({ uploadResult: resultOf(stored, left) })
    return true
  }

  function onSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (sent.current) return
    const form = event.currentTarget
    const controller = new AbortController()
    sent.current = controller
    form.setAttribute('aria-busy', 'true')
    const send = isOwn ? sendSeveral : sendAlone
    void send(form, controller.signal).then((stays) => {
      if (!stays) return
      sent.current = undefined
      setProgress(undefined)
      form.removeAttribute('aria-busy')
    })
  }

  return { answer, chosen, isOwn, notes, progress, add, remove, change, onSubmit }
}

/** `isOwn`: each file has a title and a kind of its own, from the second file on and until the list is empty. */
type List = { chosen: ChosenFile[]; isOwn: boolean }

const listOf = (chosen: ChosenFile[], wasOwn: boolean): List => ({
  chosen,
  isOwn: chosen.length > 1 || (wasOwn && chosen.length > 0),
})

/** The form, as if this file were the only one; its title is its own already. */
function bodyOfOne(form: HTMLFormElement, { file, title, kind }: ChosenFile): FormData {
  const body = new FormData(form)
  body.delete('file')
  body.set('title', title)
  body.set('kind', kind)
  body.set('several', 'yes')
  // Behind the fields: the server reads them first.
  body.append('file', file)
  return body
}

const resultOf = (stored: UploadResult['stored'], left: readonly ChosenFile[]): UploadResult => ({
  // Identical files are one document.
  stored: [...new Map(stored.map((document) => [document.id, document])).values()],
  refused: left.flatMap(({ key, file, fault }) =>
    fault ? [{ place: key, name: file.name, sentence: fault.sentence }] : [],
  ),
  isCutShort: false,
})

function withoutFileErrors(answer: UploadAnswer): UploadAnswer {
  if (!answer.errors?.file) return answer
  const { file: _, ...errors } = answer.errors
  return { ...answer, errors }
}

function notify({ status, sentence }: { status: number; sentence?: string | undefined }) {
  const { type, message } = noticeOf(status)
  addNotification({ type, message: sentence ?? message })
}

function showFaults() {
  scrollTo(0, 0)
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus()
}
