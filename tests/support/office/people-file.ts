/** In the data folder of a started office: its people, with their passwords and e.firmas. */
export const PEOPLE_FILE = 'people.json'
