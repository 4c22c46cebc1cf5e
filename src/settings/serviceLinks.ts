/** What Kubernetes puts into the environment for a Service whose name begins as the settings do, such as `service-1`. */
const LINK = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PORT|PROTO|ADDR))?$/
const LINK_URL = /^(tcp|udp|sctp):\/\//

const isLinkUrl = (name: string, text: string): boolean => name.endsWith("_PORT") && LINK_URL.test(text)

type Variables = Readonly<Record<string, string | undefined>>

/** All but links; what is a setting stays, whatever made it. */
export const withoutServiceLinks = (environment: Variables, settings: ReadonlyArray<string>): Variables =>
  environment.KUBERNETES_SERVICE_HOST === undefined
    ? environment
    : Object.fromEntries(
        Object.entries(environment).filter(
          ([name, text = ""]) => settings.includes(name) || !(LINK.test(name) || isLinkUrl(name, text))
        )
      )

export const serviceLinkFix = (name: string, text: string): string | undefined =>
  isLinkUrl(name, text)
    ? "Kubernetes made it of a Service's name: set enableServiceLinks: false in the pod's spec"
    : undefined
