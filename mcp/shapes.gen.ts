// This file is made from the document by `npm run generate`

/** By the schema of the contract: its members that `picks.ts` names. */
export const shapes = {
  "AddressCreate": {
    "type": "object",
    "properties": {
      "alias": {
        "type": "string",
        "minLength": 1,
        "maxLength": 100,
        "pattern": "^[A-Za-z0-9](\\.?([_-]\\.?)*[A-Za-z0-9])*$",
        "description": "The part before the @: letters, digits, `.`, `_` and `-`, starting and ending with a letter or digit, without two dots in a row."
      },
      "domain": {
        "type": "string",
        "minLength": 1,
        "maxLength": 253,
        "description": "A verified custom domain of the account, in any case, international names in either form."
      },
      "expiresIn": {
        "type": "integer",
        "minimum": 60,
        "maximum": 2592000,
        "description": "Lifetime in seconds, from 60 to the plan's maximum, which is also the default."
      },
      "allowedSenders": {
        "type": [
          "array",
          "null"
        ],
        "maxItems": 50,
        "description": "The senders whose mail the address takes, as its From field has them: `a@shop.example`, `@shop.example` for a domain, `@*.shop.example` for its subdomains, in any case.",
        "items": {
          "type": "string",
          "minLength": 2,
          "maxLength": 254
        }
      }
    },
    "required": []
  },
  "AddressCreated": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the address."
      },
      "address": {
        "type": "string",
        "format": "email",
        "description": "The full email address, `alias@domain`, in lower case."
      },
      "expiresAt": {
        "type": "string",
        "format": "date-time",
        "description": "When its lifetime ends, or ended."
      }
    },
    "required": [
      "id",
      "address",
      "expiresAt"
    ]
  },
  "CodeDetail": {
    "type": "object",
    "properties": {
      "expiresInSeconds": {
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1,
        "description": "How long it is valid from the mail's arrival on, by the words of the mail, such as \"valid for 10 minutes\"."
      },
      "boundTo": {
        "type": [
          "string",
          "null"
        ],
        "description": "The host at which alone it is to be entered, by a line such as `@shop.example #482913`, in punycode."
      }
    },
    "required": [
      "expiresInSeconds",
      "boundTo"
    ]
  },
  "Deleted": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the deleted object."
      },
      "deleted": {
        "type": "boolean",
        "const": true,
        "description": "Always true."
      }
    },
    "required": [
      "id",
      "deleted"
    ]
  },
  "Email": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the email."
      },
      "addressId": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the address that owns it."
      },
      "type": {
        "type": "string",
        "description": "Whether the address received the email or sent it."
      },
      "from": {
        "type": "string",
        "description": "The sender's address."
      },
      "fromName": {
        "type": "string",
        "description": "The sender's display name."
      },
      "to": {
        "type": "string",
        "description": "The recipient."
      },
      "subject": {
        "type": "string",
        "description": "The subject."
      },
      "bodyText": {
        "type": "string",
        "description": "The plain-text body, of a very long one its beginning: the JSON of an answer has at most 30 MiB."
      },
      "receivedAt": {
        "type": "string",
        "format": "date-time",
        "description": "When the server took the mail; for sent mail, when it was queued."
      },
      "attachments": {
        "type": "array",
        "description": "Its attachments, in the mail's order.",
        "items": {
          "type": "object",
          "description": "The record of an attachment.",
          "required": [
            "id",
            "filename",
            "contentType",
            "size",
            "contentId",
            "isInline"
          ],
          "properties": {
            "id": {
              "type": "string",
              "format": "uuid",
              "description": "Id of the attachment."
            },
            "filename": {
              "type": "string",
              "description": "A safe file name without a path."
            },
            "contentType": {
              "type": "string",
              "description": "Media type as the sender declared it."
            },
            "size": {
              "type": "integer",
              "minimum": 0,
              "description": "Size of the decoded file in bytes."
            },
            "contentId": {
              "type": [
                "string",
                "null"
              ],
              "description": "The Content-ID that the HTML body refers to as `cid:`."
            },
            "isInline": {
              "type": "boolean",
              "description": "Whether it is shown within the body, such as an image."
            }
          }
        }
      },
      "codes": {
        "type": "array",
        "maxItems": 10,
        "description": "One-time codes found in the mail, the most likely first.",
        "items": {
          "type": "string"
        }
      },
      "codeDetails": {
        "type": "array",
        "maxItems": 10,
        "description": "The codes of `codes`, in their order, each with what the mail says of it.",
        "items": {
          "type": "object",
          "description": "A one-time code, with what the mail says of it.",
          "required": [
            "code",
            "expiresInSeconds",
            "boundTo"
          ],
          "properties": {
            "code": {
              "type": "string",
              "description": "The code."
            },
            "expiresInSeconds": {
              "type": [
                "integer",
                "null"
              ],
              "minimum": 1,
              "description": "How long it is valid from the mail's arrival on, by the words of the mail, such as \"valid for 10 minutes\"."
            },
            "boundTo": {
              "type": [
                "string",
                "null"
              ],
              "description": "The host at which alone it is to be entered, by a line such as `@shop.example #482913`, in punycode."
            }
          }
        }
      },
      "links": {
        "type": "array",
        "description": "http and https links in the mail's order, except that the likely call to action comes first.",
        "items": {
          "type": "object",
          "description": "A link in an email.",
          "required": [
            "url",
            "host",
            "text"
          ],
          "properties": {
            "url": {
              "type": "string",
              "description": "The target, http or https."
            },
            "host": {
              "type": "string",
              "description": "The host that the link leads to, in lower case, with its port where that is another than of http or https, and in punycode where it has characters beyond ASCII."
            },
            "text": {
              "type": "string",
              "description": "The text of the link."
            }
          }
        }
      },
      "hiddenText": {
        "type": "boolean",
        "description": "Whether the mail has text that a reader does not see: styles or attributes of its HTML hide it, or it is written in characters without a shape, as `warnings` says."
      },
      "warnings": {
        "type": "array",
        "description": "What makes the mail say another thing to a program than to its reader, or lead elsewhere than it says.",
        "items": {
          "type": "object",
          "description": "What makes a mail say another thing to a program than to its reader, or lead elsewhere than it says.",
          "required": [
            "type",
            "fields",
            "url",
            "host",
            "namedHost"
          ],
          "properties": {
            "type": {
              "type": "string",
              "description": "Its kind: `hiddenText` (styles or attributes of the HTML hide text), `invisibleCharacters` (text is written in characters without a shape, such as Unicode tags), `reorderedText` (letters are shown in another order than they are written in), `otherHost` (the text of a link names another registrable domain than it leads to), or `otherCode` (the HTML shows another code than the text part, to which `codes` belong, or not that one)."
            },
            "fields": {
              "type": "array",
              "description": "The members of the email that it is about.",
              "items": {
                "type": "string"
              }
            },
            "url": {
              "type": [
                "string",
                "null"
              ],
              "description": "The link of `otherHost`."
            },
            "host": {
              "type": [
                "string",
                "null"
              ],
              "description": "The host that this link leads to."
            },
            "namedHost": {
              "type": [
                "string",
                "null"
              ],
              "description": "The host that its text names, in punycode."
            }
          }
        }
      },
      "status": {
        "description": "The delivery status of a sent email.",
        "oneOf": [
          {
            "type": "string",
            "description": "The delivery status of a sent email: `queued`, `sending`, `sent` (the next mail server took it), `deferred` (it will be tried again), `failed` (given up), or `captured` (kept on this host, not sent)."
          },
          {
            "type": "null"
          }
        ]
      },
      "failureReason": {
        "type": [
          "string",
          "null"
        ],
        "description": "Why a sent email failed or was deferred."
      }
    },
    "required": [
      "id",
      "addressId",
      "type",
      "from",
      "fromName",
      "to",
      "subject",
      "bodyText",
      "receivedAt",
      "attachments",
      "codes",
      "codeDetails",
      "links",
      "hiddenText",
      "warnings",
      "status",
      "failureReason"
    ]
  },
  "EmailReference": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the email."
      }
    },
    "required": [
      "id"
    ]
  },
  "EmailSend": {
    "type": "object",
    "properties": {
      "to": {
        "type": "string",
        "minLength": 3,
        "maxLength": 354,
        "pattern": "^[^\\r\\n]+$",
        "description": "The recipient: exactly one address, with a name before it (`Ada <ada@example.com>`) or without."
      },
      "cc": {
        "type": "array",
        "maxItems": 20,
        "description": "Further recipients, each in the form of `to`.",
        "items": {
          "type": "string",
          "minLength": 3,
          "maxLength": 354,
          "pattern": "^[^\\r\\n]+$",
          "description": "Exactly one address, with a name or without."
        }
      },
      "subject": {
        "type": "string",
        "minLength": 1,
        "maxLength": 200,
        "pattern": "^[^\\r\\n]+$",
        "description": "The subject, one line of at most 200 characters."
      },
      "body": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50000,
        "description": "The plain-text body, at most 50,000 characters."
      },
      "bodyHtml": {
        "type": "string",
        "maxLength": 1048576,
        "description": "The HTML body."
      }
    },
    "required": [
      "body"
    ]
  },
  "EmailSummary": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the email."
      },
      "addressId": {
        "type": "string",
        "format": "uuid",
        "description": "Id of the address that owns it."
      },
      "type": {
        "type": "string",
        "description": "Whether the address received the email or sent it."
      },
      "from": {
        "type": "string",
        "description": "The sender's address."
      },
      "fromName": {
        "type": "string",
        "maxLength": 250,
        "description": "The sender's display name."
      },
      "to": {
        "type": "string",
        "description": "The recipient."
      },
      "subject": {
        "type": "string",
        "maxLength": 1000,
        "description": "The subject."
      },
      "preview": {
        "type": "string",
        "maxLength": 200,
        "description": "The first 200 characters of the text, with white space collapsed."
      },
      "receivedAt": {
        "type": "string",
        "format": "date-time",
        "description": "When the server took the mail; for sent mail, when it was queued."
      },
      "isRead": {
        "type": "boolean",
        "description": "Whether it is marked as read."
      },
      "hasAttachments": {
        "type": "boolean",
        "description": "Whether it has attachments."
      },
      "codes": {
        "type": "array",
        "maxItems": 10,
        "description": "One-time codes found in the mail, the most likely first.",
        "items": {
          "type": "string"
        }
      }
    },
    "required": [
      "id",
      "addressId",
      "type",
      "from",
      "fromName",
      "to",
      "subject",
      "preview",
      "receivedAt",
      "isRead",
      "hasAttachments",
      "codes"
    ]
  }
} as const
