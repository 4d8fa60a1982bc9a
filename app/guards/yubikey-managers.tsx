import { Outlet } from 'react-router'
import { requireAction } from './require-action.ts'

/** For pages that register physical keys and add what the maker attests them with. */
export const middleware = [requireAction('yubikeys.manage')]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
