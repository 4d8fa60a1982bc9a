import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { KeptFields } from './kept-fields.tsx'
import css from './search-form.module.css'
import { useLiveSearch } from './use-live-search.ts'

type Props = {
  label: string
  help?: string
  /** The search on the page; empty if there is none. */
  text: string
  /** The query parameter. */
  name?: string
  id?: string
  /** Filters that the search keeps, by query parameter. */
  kept?: Record<string, string | readonly string[] | undefined>
  /** Another address than that of the page; the page then stays where it is. */
  action?: string
  /** Searches while the user types. */
  isLive?: boolean
  /** Fields of further filters. */
  children?: ReactNode
}

/** Searches a list. Its address has the search, so that it can be kept and sent. */
export function SearchForm({
  label,
  help,
  text,
  name = 'text',
  id,
  kept = {},
  action,
  isLive = false,
  children,
}: Props) {
  const live = useLiveSearch(name, text)
  return (
    <Form
      method="get"
      role="search"
      className={css.search}
      key={isLive ? undefined : text}
      {...(isLive && { ref: live.form, onInput: live.typed, onSubmit: live.sent })}
      {...(action && { action, preventScrollReset: true })}
    >
      <KeptFields fields={kept} />
      <TextField
        {...(id && { id })}
        name={name}
        type="search"
        label={label}
        {...(help && { help })}
        defaultValue={text}
        maxLength={200}
        autoComplete="off"
      />
      {children && <div className={css.more}>{children}</div>}
      <SubmitButton variant="default" leftSection={<Icon name="search" />}>
        Buscar
      </SubmitButton>
    </Form>
  )
}
