import { type ReactNode, type SubmitEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  Form,
  type FormProps,
  useActionData,
  useLocation,
  useNavigation,
  useSubmit,
} from 'react-router'
import islandUrl from '#app/islands/form-transport.ts?worker&url'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { useHydrates } from '#app/ui/frame/hydrates.ts'
import { Island } from '#app/ui/frame/island.tsx'
import { CsrfField } from './csrf-field.tsx'
import { KeptValuesContext, keptValuesOf, useKeptForm } from './kept-values.ts'

type Props = {
  /** The page's own address by default. */
  action?: string | undefined
  encType?: 'multipart/form-data'
  className?: string | undefined
  noValidate?: boolean
  /** On hydrated pages: the page stays where it is scrolled to. */
  preventScrollReset?: boolean
  /** The browser itself sends it, or `onSubmit`. */
  isNative?: boolean
  onSubmit?: FormProps['onSubmit']
  children: ReactNode
}

/**
 * A form that changes something. Without scripts the browser sends it. With scripts React Router does on hydrated pages, and
 * `form-transport` on the others: if the network fails, a proxy answers or the server has an error, the page stays with
 * everything that was typed, and says so. A form that came after its session was over is filled in again after sign-in.
 */
export function PostForm({
  children,
  action,
  isNative = false,
  preventScrollReset = false,
  ...rest
}: Props) {
  const form = { ...rest, ...(action !== undefined && { action }) }
  const { values, isPartial } = useOwnKept(action, children)
  const fields = (
    <KeptValuesContext value={values}>
      <CsrfField />
      {values && <KeptNotice isPartial={isPartial} />}
      {children}
    </KeptValuesContext>
  )
  const hydrates = useHydrates()
  if (isNative)
    return (
      <form method="post" {...form}>
        {fields}
      </form>
    )
  if (hydrates)
    return (
      <FormByRouter preventScrollReset={preventScrollReset} {...form}>
        {fields}
      </FormByRouter>
    )
  return (
    <form method="post" data-transport {...form}>
      <div data-part="unsent" hidden>
        <Notice tone="bad">
          <span data-part="sentence" />
        </Notice>
      </div>
      {fields}
      <Island src={islandUrl} />
    </form>
  )
}

/** A second click while the form is on its way would send it twice. */
function FormByRouter({ preventScrollReset = false, ...form }: FormProps) {
  const submit = useSubmit()
  const isUnderWay = useUnderWay()
  const sent = useRef<SubmitEvent<HTMLFormElement>>(null)
  const sendOnce = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React shows the navigation late, or not at all if it fails at once; it goes on after `submit` if the next page is a document.
    if (sent.current || isUnderWay) return
    sent.current = event
    const { submitter } = event.nativeEvent
    const target = submitter instanceof HTMLButtonElement ? submitter : event.currentTarget
    await submit(target, { method: 'post', preventScrollReset })
    if (sent.current === event) sent.current = null
  }
  // With the answer on the page: `submit` returns later, when the next button may have been pressed.
  useLayoutEffect(() => {
    if (!isUnderWay) sent.current = null
  }, [isUnderWay])
  return <Form method="post" onSubmit={(event) => void sendOnce(event)} {...form} />
}

/** Whether a form was sent whose answer is not on the page yet; the page may still load data again when it is. */
function useUnderWay(): boolean {
  const { state, formMethod } = useNavigation()
  const answer = useActionData() as unknown
  const before = useRef(answer)
  useLayoutEffect(() => {
    if (state !== 'loading') before.current = answer
  }, [state, answer])
  return formMethod === 'POST' && !(state === 'loading' && answer !== before.current)
}

/** Stays the same while the page is open: it is read once, and typing goes on from there. */
function useOwnKept(action: string | undefined, children: ReactNode) {
  const kept = useKeptForm()
  const { pathname } = useLocation()
  const path = action?.replace(/[?#].*/s, '') ?? pathname
  const [own] = useState(() => ({
    values: keptValuesOf(kept, path, children),
    isPartial: kept?.isPartial ?? false,
  }))
  return own
}

const KeptNotice = ({ isPartial }: { isPartial: boolean }) => (
  <Notice tone="note">
    Recuperamos lo que había escrito. Revíselo y envíelo.
    {isPartial && ' Los archivos, las contraseñas y los códigos debe ponerlos de nuevo.'}
  </Notice>
)
