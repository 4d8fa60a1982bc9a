/**
 * Whether an e.firma was chosen on the page: a new page would have lost its files, which no page can fill in again, and the
 * password.
 *
 * @param form whose own fields do not count
 */
export const hasEfirma = (form?: HTMLFormElement): boolean =>
  [
    ...document.querySelectorAll<HTMLInputElement>('main input:is([type=file], [type=password])'),
  ].some((field) => field.value !== '' && field.form !== form)
