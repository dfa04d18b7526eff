const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

const isToday = (date: Date) => date.toDateString() === new Date().toDateString()

/** "14:05", and the day as well when it is not today. */
export function clockTime(at: number): string {
  const date = new Date(at)
  return isToday(date) ? clock.format(date) : `${day.format(date)}, ${clock.format(date)}`
}

/** The day when it is not today, else the time: where there is room for one of them. */
export function dayOrTime(at: number): string {
  const date = new Date(at)
  return (isToday(date) ? clock : day).format(date)
}
