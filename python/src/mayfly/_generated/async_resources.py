"""The methods of the client with `await`. This file is made from the document by `npm run generate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._async_lists import AsyncList
from .._async_resource import AsyncResource
from .._core.ids import After
from .._core.request import RequestOptions
from .._not_given import NOT_GIVEN, NotGiven
from . import resources, types


class AsyncAddressesOperations(AsyncResource[resources.AddressesOperations]):
    """Temporary addresses, each with a lifetime."""

    def list(
        self,
        *,
        status: Literal['active', 'expired'] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.Address]:
        """
        Lists the account's addresses, newest first. Expired ones stay listed for the retention time.

        :param status: `active`: only addresses whose `is_active` is True. `expired`: only the others, which have
            expired, or whose domain is gone or not verified. Omitted, both.
        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(
                status=status,
                limit=limit,
                offset=offset,
                before=before,
                options=options,
            ),
        )

    async def create(
        self,
        *,
        alias: str | None = None,
        domain: str | None = None,
        expires_in: int | None = None,
        forward_to_id: str | None = None,
        smtp_login: bool | None = None,
        max_emails: int | None | NotGiven = NOT_GIVEN,
        allowed_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        blocked_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> types.AddressCreated:
        """
        Issues an address that receives mail from now until it expires. Mail to `alias+tag@domain` reaches it too. A
        name that was in use is not given to another account for 30 days.

        | Plan | Lifetime, default and maximum |
        |---|---|
        | Free | 24 hours |
        | Pro | 7 days |
        | Business | 30 days |

        :param alias: The part before the @: letters, digits, `.`, `_` and `-`, starting and ending with a letter or
            digit, without two dots in a row. Stored in lower case. Omitted, a readable random alias that cannot be
            guessed. On the default domain names of its operator are reserved, such as `admin`, `webmaster`,
            `postmaster`, `security`, `support` or `no-reply`, also with `.`, `_` or `-` between their letters. Mail
            to `postmaster` or `abuse` issues an address of this name: on the default domain for the server's owner
            account, on a custom domain for the account that holds it. Other mail servers may refuse to send to an
            alias of more than 64 characters (RFC 5321, section 4.5.3.1.1); this one takes them in `to` of
            `emails.send`.
        :param domain: A verified custom domain of the account, in any case, international names in either form.
            Omitted, the server's default domain.
        :param expires_in: Lifetime in seconds, from 60 to the plan's maximum, which is also the default.
        :param forward_to_id: A verified forwarding address that mail is forwarded to from the start.
        :param smtp_login: Whether the address gets an SMTP login, as `addresses.create_smtp_login` makes one:
            whatever a program sends with it, to any recipients, arrives in this address.
        :param max_emails: The number of received emails that the address keeps, for an inbox that gets much mail:
            soon after another one comes, the oldest is removed for good. Omitted or None, all are kept for the
            retention time.
        :param allowed_senders: The senders whose mail the address takes, as its From field has them:
            `a@shop.example`, `@shop.example` for a domain, `@*.shop.example` for its subdomains, in any case. Other
            mail, and mail without a From field, is answered 550 at its end. Anyone can write any sender into a mail:
            `authentication` of an email tells whether it was that one. Empty or None, all. At most 2,500 bytes of
            JSON.
        :param blocked_senders: The senders whose mail it refuses, in the same form, whether the From field or MAIL
            names them, even if they are allowed. With such a list, a header that goes on after 1,000 lines or 64 KiB
            without a From field is refused, too. Empty or None, none. At most 2,500 bytes of JSON.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The address is taken or reserved, or the domain or forwarding address is not verified,
            or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create(
                alias=alias,
                domain=domain,
                expires_in=expires_in,
                forward_to_id=forward_to_id,
                smtp_login=smtp_login,
                max_emails=max_emails,
                allowed_senders=allowed_senders,
                blocked_senders=blocked_senders,
                options=options,
            ),
        )

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.Address:
        """
        Returns one address, with the number of emails that it received and the time of the latest.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get(id, options=options),
        )

    async def update(
        self,
        id: str,
        *,
        allowed_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        blocked_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> types.Address:
        """
        Changes whose mail the address takes: each list that is given replaces the one before, for the recipients that
        clients give from then on. Mail by the SMTP login of the address, a catch-all or the API is compared too. A
        refusal is a 550 with 5.7.1, and `addresses.activity` has it; the other recipients of the mail get it.

        :param id: Id of the address.
        :param allowed_senders: The senders whose mail the address takes, as its From field has them:
            `a@shop.example`, `@shop.example` for a domain, `@*.shop.example` for its subdomains, in any case. Other
            mail, and mail without a From field, is answered 550 at its end. Anyone can write any sender into a mail:
            `authentication` of an email tells whether it was that one. Empty or None, all. At most 2,500 bytes of
            JSON.
        :param blocked_senders: The senders whose mail it refuses, in the same form, whether the From field or MAIL
            names them, even if they are allowed. With such a list, a header that goes on after 1,000 lines or 64 KiB
            without a From field is refused, too. Empty or None, none. At most 2,500 bytes of JSON.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.update(
                id,
                allowed_senders=allowed_senders,
                blocked_senders=blocked_senders,
                options=options,
            ),
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> types.Deleted:
        """
        Deletes the address and all its emails, permanently. It refuses mail from now on.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete(id, options=options),
        )

    async def create_smtp_login(self, id: str, *, options: RequestOptions | None = None) -> types.SmtpLogin:
        """
        Returns a user name and a password with which a program sends mail over SMTP. Whatever it sends, to any
        recipients at any domain, becomes one email in this address, with all recipients of the envelope. Nothing is
        delivered elsewhere, and SPF, DKIM and DMARC are not checked. The password is shown once; the one before ends
        at the next command of its sessions. An address with a login lives on while it is used: each login sets
        `expires_at` to at least the plan's maximum from then on.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.create_smtp_login(id, options=options),
        )

    async def delete_smtp_login(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Programs can log in as the address no more; sessions end at their next command. Its emails stay.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete_smtp_login(id, options=options),
        )

    def activity(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.SmtpActivity]:
        """
        Lists what SMTP clients tried at the address, and how it was answered, newest first: each mail that was
        accepted, until its email is deleted, and the last 1,000 commands and mails that were refused, which are kept
        as long as mail. A client that is refused again and again has the first 1,000 of its tries recorded, and then
        10 a second. No refusal is recorded while the server is low on space. A wrong password may appear a moment
        later.

        :param id: Id of the address.
        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return self._list(
            lambda sync: sync.activity(id, limit=limit, offset=offset, before=before, options=options),
        )

    async def get_smtp_faults(self, id: str, *, options: RequestOptions | None = None) -> types.SmtpFaults:
        """
        Returns the steps that are left, with the `times` that are left of each.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get_smtp_faults(id, options=options),
        )

    async def set_smtp_faults(
        self,
        id: str,
        *,
        steps: Sequence[Mapping[str, object]],
        options: RequestOptions | None = None,
    ) -> types.SmtpFaults:
        """
        Has SMTP fail on purpose for this address, to test how an app copes with it. Replaces the list of steps; an
        empty one ends all faults. The steps of one stage are taken in their order, each as often as its `times`; a
        used step is gone, and without one the session goes on as always. They count for mail to the name of the
        address, and for mail with its login.

        Before RCPT only a session with the login of the address is known to concern it. Without the login, no step at
        `auth` is taken, those at `mail` are taken at RCPT, and one that delays, drops the connection, or ends it with
        421, at DATA. At DATA and later, none is taken for a mail that goes to addresses of other accounts too.

        `test.create_email` answers a step with 409, and mail that this server delivers to the address itself is tried
        again or fails, as at another server. Neither is delayed.

        :param id: Id of the address.
        :param steps: The steps, at most 50.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.set_smtp_faults(id, steps=steps, options=options),
        )

    async def clear_smtp_faults(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        The address has no faults any more.

        :param id: Id of the address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.clear_smtp_faults(id, options=options),
        )


class AsyncForwardingRulesOperations(AsyncResource[resources.ForwardingRulesOperations]):
    """For each temporary address a rule with the filters and the target of forwarded mail."""

    async def get(self, address_id: str, *, options: RequestOptions | None = None) -> types.ForwardingRule:
        """
        Returns the rule. For an address without one, `is_active` is False and every other member is None.

        :param address_id: Id of the temporary address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get(address_id, options=options),
        )

    async def update(
        self,
        address_id: str,
        *,
        forward_to_id: str | None | NotGiven = NOT_GIVEN,
        filter_sender: str | None | NotGiven = NOT_GIVEN,
        filter_subject: str | None | NotGiven = NOT_GIVEN,
        is_active: bool | None = None,
        options: RequestOptions | None = None,
    ) -> types.ForwardingRule:
        """
        Changes the members that are given. The first update creates the rule and needs a `forward_to_id`: without one
        it is refused with 400, and nothing is created. Mail is forwarded when it matches every filter that is set.
        Giving a `forward_to_id` also switches the rule on, unless `is_active` is False beside it; `forward_to_id:
        None` switches the rule off and keeps its filters.

        :param address_id: Id of the temporary address.
        :param forward_to_id: A verified forwarding address, which also switches the rule on; None switches it off and
            keeps its filters.
        :param filter_sender: Forward only mail of this sender, in any case: `@shop.example` is the end of the
            address, `a@shop.example` all of it, and text without an `@` a part of the address or the display name.
            None or empty removes the filter.
        :param filter_subject: Forward only mail whose subject contains this text, in any case. None or empty removes
            the filter.
        :param is_active: Whether mail is forwarded. True needs a `forward_to_id`, given now or before.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The forwarding address is not verified, or the `Idempotency-Key` was used for another
            request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.update(
                address_id,
                forward_to_id=forward_to_id,
                filter_sender=filter_sender,
                filter_subject=filter_subject,
                is_active=is_active,
                options=options,
            ),
        )


class AsyncEmailsOperations(AsyncResource[resources.EmailsOperations]):
    """Mail that the addresses received or sent."""

    def list(
        self,
        *,
        address_id: str | None = None,
        type: Literal['received', 'sent'] | None = None,
        is_deleted: bool | None = None,
        to: str | None = None,
        envelope_from: str | None = None,
        thread_id: str | None = None,
        after: After | None = None,
        q: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.EmailSummary]:
        """
        Lists emails of all addresses, newest first. Texts are cut, so a page of 100 emails has at most about 550 kB:
        each body and the subject at 1,000 bytes of JSON, the sender's name at 250. `is_truncated` tells whether a
        body was cut; `emails.get` returns the whole email. With `after`, `total` counts at most 1,000; `has_more` is
        exact.

        To wait for mail, keep the `cursor` of one answer and give it as `after` in the next request.

        :param address_id: Only emails of this address.
        :param type: Only emails that were received, or only those that were sent. Omitted, both.
        :param is_deleted: `True` lists the emails that were deleted, instead of those that were not.
        :param to: Only emails with this recipient in their envelope, Cc and Bcc included: a whole address in any
            case, or `*@domain` for every address of a domain.
        :param envelope_from: Only received emails whose envelope has this sender, in the form of `to`.
        :param thread_id: Only emails with this `thread_id`, except those that an earlier version has indexed.
        :param after: Only emails after this one: an email's id, or the `cursor` of an earlier answer. The last that
            was published is the first.
        :param q: Only emails that meet all parts of this query, which spaces separate; of a part after a minus sign,
            those that do not meet it, with at most five such parts. | Part | Emails | |---|---| | `confirm` | with
            this word in their sender (address and name), subject or text, or, if sent, in their recipient; a
            recipient's whole address finds received mail too | | `"your code"` | in which these words follow one
            another | | `from:shop`, `to:"Ada L"`, `subject:code` | with the words in the sender, a recipient of the
            envelope, or the subject | | `has:code`, `has:link`, `has:attachment` | with a code, a link or an
            attachment | | `is:unread`, `is:read`, `is:starred` | with this mark | | `after:2026-10-01`,
            `before:2026-11-01` | of this day or later; of an earlier day (UTC) | | `larger:100kb`, `larger:1mb` |
            whose source is longer: of 1,024 bytes, or 1,024 kB | Case and accents make no difference, and a word may
            be the beginning of a longer one: `confirm` finds `Confirmation`. Words joined by a character, as in
            `no-reply@shop.example`, must be joined in the email too. Chinese, Japanese, Korean and Thai are found by
            any characters that follow one another. Of more than five words, the five longest count. Other characters
            only separate words, and a query without a condition finds nothing. Only the first 65,536 characters of a
            text are searched, by `from:`, `to:` and `subject:` the first 1,000; the words of phrases are compared in
            the 1,000 newest emails that meet the rest. `total` counts at most 1,000; `has_more` is exact. Another
            operator gets 400. A colon belongs to a word in `12:30`, `https://shop.example`, `localhost:3000`, and
            within quotes.
        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(
                address_id=address_id,
                type=type,
                is_deleted=is_deleted,
                to=to,
                envelope_from=envelope_from,
                thread_id=thread_id,
                after=after,
                q=q,
                limit=limit,
                offset=offset,
                before=before,
                options=options,
            ),
        )

    async def send(
        self,
        *,
        body: str,
        from_address_id: str | None = None,
        to: str | None = None,
        cc: Sequence[str] | None = None,
        subject: str | None = None,
        body_html: str | None = None,
        in_reply_to_id: str | None = None,
        attachments: Sequence[Mapping[str, object]] | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailReference:
        """
        Queues an email from one of the account's active addresses. It is delivered in the background; read it by its
        id, at once if you like, to follow its `status`. Mail sent with a test key is `captured`, not delivered. Mail
        to other servers has limits by plan, recipient and domain; past them, the answer is 429. Each recipient of
        `cc` counts as a mail. The request has at most 15 MiB.

        :param from_address_id: The active address to send from.
        :param to: The recipient: exactly one address, with a name before it (`Ada <ada@example.com>`) or without.
            Before the @ it has at most 100 characters; other mail servers may refuse more than 64 octets (RFC 5321,
            section 4.5.3.1.1).
        :param cc: Further recipients, each in the form of `to`. A duplicate recipient gets the email once.
        :param subject: The subject, one line of at most 200 characters.
        :param body: The plain-text body, at most 50,000 characters.
        :param body_html: The HTML body. Omitted, the email is plain text.
        :param in_reply_to_id: Id of the email that this one answers, which needs the scope `emails:read` too. It gets
            the headers `In-Reply-To` and `References`. Omitted, `from_address_id` is the address of that email, `to`
            its first `Reply-To` or its sender, and for an email that was sent its recipient; `subject` is its subject
            after one `Re:`, cut at 200 characters.
        :param attachments: Files, together at most 10 MiB.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The address that it is to be sent from has expired, or its domain is not verified any
            more, or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.send(
                from_address_id=from_address_id,
                to=to,
                cc=cc,
                subject=subject,
                body=body,
                body_html=body_html,
                in_reply_to_id=in_reply_to_id,
                attachments=attachments,
                options=options,
            ),
        )

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.Email:
        """
        Returns the whole email: both bodies, headers, attachment records, and the one-time codes and links found in
        it. Reading does not mark it as read. A deleted email can be read, with `is_deleted` true, until it is removed
        permanently.

        :param id: Id of the email.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get(id, options=options),
        )

    async def update(
        self,
        id: str,
        *,
        is_read: bool | None = None,
        is_starred: bool | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailUpdated:
        """
        Changes the marks that are given, at least one. A deleted email gets 404. The answer to a key without the
        scope `emails:read` has the id and the marks alone.

        :param id: Id of the email.
        :param is_read: Whether it is marked as read.
        :param is_starred: Whether it is starred.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.update(id, is_read=is_read, is_starred=is_starred, options=options),
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> types.Deleted:
        """
        Deletes the email softly: it is kept with `is_deleted` true, and listed only with `is_deleted=True`, until it
        is removed permanently: after the retention time, or with its address. `emails.restore` undoes it.

        :param id: Id of the email.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete(id, options=options),
        )

    async def restore(self, id: str, *, options: RequestOptions | None = None) -> types.EmailUpdated:
        """
        Undoes the deletion of an email, until it is removed permanently. An email that is not deleted stays as it is.
        No event tells of it. An address with `max_emails` keeps its newest emails, so that a restored one can be
        removed at once. The answer to a key without the scope `emails:read` has the id and the marks alone.

        :param id: Id of the email.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.restore(id, options=options),
        )

    async def bounce(
        self,
        id: str,
        *,
        status: str | None = None,
        text: str | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailReport:
        """
        Reports to the sender of the envelope that the received email could not be delivered (a delivery status
        notification, RFC 3464), to test how an app copes with it. If the sender is an address of the account, the
        report arrives there, with the None sender. Otherwise it is captured as a sent email of the address, with
        `status: captured`. It never leaves this server.

        :param id: Id of the email.
        :param status: Three numbers with dots, of which the first is 4 or 5. Omitted, `5.1.1`. RFC 3463, section 2.
        :param text: One line of printable ASCII characters, the reason. Omitted, `The mailbox does not exist`.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The email was sent, or its envelope has no sender, or the `Idempotency-Key` was used
            for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.bounce(id, status=status, text=text, options=options),
        )

    async def complain(self, id: str, *, options: RequestOptions | None = None) -> types.EmailReport:
        """
        Reports the received email as spam to the sender of its envelope (a feedback report, RFC 5965), to test how an
        app copes with it. The report arrives or is captured as that of a bounce does. Takes no body.

        :param id: Id of the email.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The email was sent, or its envelope has no sender, or the `Idempotency-Key` was used
            for another request.
        """
        return await self.run(
            lambda sync: sync.complain(id, options=options),
        )

    async def forward(
        self,
        id: str,
        *,
        forward_to_id: str,
        options: RequestOptions | None = None,
    ) -> types.EmailReference:
        """
        Forwards a received email to a verified forwarding address, once. The `forwarding` of the email shows the
        status of its last forward.

        :param id: Id of the email.
        :param forward_to_id: Id of a verified forwarding address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The forwarding address is not verified, the email was sent or was forwarded too often,
            or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.forward(id, forward_to_id=forward_to_id, options=options),
        )

    async def change_all(
        self,
        *,
        action: Literal['markRead', 'delete', 'restore'],
        address_id: str | None = None,
        q: str | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailChanges:
        """
        Changes the emails of an address, of a search, of both, or of the account, that are there at the beginning,
        10,000 of them at most: send the request again while `has_more` is True. It changes some at a time; when it
        fails, those that were changed stay so. Each deletion emits `email.deleted`. An account restores 1,000 emails
        and one request's more at once, then 2 a second. A `q` that excludes words changes no email of more than
        65,536 bytes, as a search compares only its beginning. With `q` a key also needs the scope `emails:read`.

        :param action: The change.
        :param address_id: Only emails of this address.
        :param q: Only emails that this query finds, as that of `emails.list`. It has five words at most.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.change_all(action=action, address_id=address_id, q=q, options=options),
        )

    async def checks(
        self,
        id: str,
        *,
        links: bool | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailChecks:
        """
        Checks an email for what mail clients and spam filters mind: support of its HTML and CSS, images, size, text
        part, List-Unsubscribe, authentication, links. Each check has a `result` for a test to assert. Of a long mail,
        the first 2 MB of the HTML are checked.

        With `links=True` the server also requests each of the first 50 links, within 15 seconds in all: HEAD, and GET
        if HEAD fails, without cookies, and follows 5 redirects. **That can use up a link that works once.** Private
        hosts are refused as for webhooks. An account has 200 requests at once to a site, redirects included, and 2 a
        second after them; the others are `warn`, with an `error`.

        :param id: Id of the email.
        :param links: `True` requests the links, and says how each answered.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.checks(id, links=links, options=options),
        )


class AsyncDomainsOperations(AsyncResource[resources.DomainsOperations]):
    """Custom domains for addresses, verified through DNS records."""

    def list(self, *, options: RequestOptions | None = None) -> AsyncList[types.Domain]:
        """
        Lists all domains of the account, newest first.

        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(options=options),
        )

    async def create(self, *, domain: str, options: RequestOptions | None = None) -> types.DomainCreated:
        """
        Adds a domain and returns the DNS records to set. The domain is `verified` once both are found; this is
        checked at once, then with growing pauses for up to 48 hours, and whenever you ask for it. Only a verified
        domain can have addresses, and only one account can hold it.

        A verified domain is checked daily. When five checks in a row find a record missing or wrong, it is `pending`
        again and its addresses receive nothing until it is verified anew. Name servers that fail or do not answer
        never count.

        :param domain: The domain: labels of letters, digits and hyphens, then an extension of at least 2 characters.
            Stored in lower case, international names in their `xn--` form, in which it has at most 253 characters. It
            cannot be an IP address, a public suffix such as `co.uk` or `github.io`, or a domain of this server or one
            above it.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises ConflictError: The account has this domain already, or another account has verified it, or there are
            100 domains already, or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create(domain=domain, options=options),
        )

    async def update(
        self,
        id: str,
        *,
        catch_all_id: str | None,
        options: RequestOptions | None = None,
    ) -> types.Domain:
        """
        Chooses the address that gets mail to names at the domain that were not issued, except `postmaster` and
        `abuse`, which issue addresses of their own. Such mail is delivered while the domain is verified and the
        address active; `envelope.via` is `domain`.

        :param id: Id of the domain.
        :param catch_all_id: The id of an active address of the account, at any domain, that gets mail to names that
            were not issued. None for none.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.update(id, catch_all_id=catch_all_id, options=options),
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Removes the domain. Its addresses stop receiving mail and cannot send. Adding the domain again does not
        restore them; new addresses may have the same names.

        :param id: Id of the domain.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete(id, options=options),
        )

    async def verify(self, id: str, *, options: RequestOptions | None = None) -> types.DomainChecked:
        """
        Looks up both DNS records now, before the next planned check, and plans checks of a pending domain for another
        48 hours. The answer waits for the name servers for two seconds at most. It has the `status` after the check,
        a `message` with the result, and the records to set. The status of a verified domain does not change.

        :param id: Id of the domain.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: Another account has verified this domain, or the `Idempotency-Key` was used for another
            request.
        """
        return await self.run(
            lambda sync: sync.verify(id, options=options),
        )


class AsyncForwardingAddressesOperations(AsyncResource[resources.ForwardingAddressesOperations]):
    """Personal addresses that mail may be forwarded to, once verified."""

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.ForwardingAddress]:
        """
        Lists the addresses that mail may be forwarded to, newest first, verified or not.

        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(limit=limit, offset=offset, before=before, options=options),
        )

    async def create(
        self,
        *,
        email: str,
        options: RequestOptions | None = None,
    ) -> types.ForwardingAddressCreated:
        """
        Adds an address and sends it a verification email. Its link opens a page with a button, works once and is
        valid for 24 hours; until its owner has pressed the button, nothing can be forwarded there. An address gets at
        most six such emails in 24 hours, also when it is deleted and added again; after that, the answer is 429.

        :param email: The destination, exactly one address without a name, at most 100 characters before the @. Write
            international domains in their `xn--` form. Kept as written, its domain in lower case. It may not be an
            address of this server.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises ConflictError: The account has this forwarding address already, or the `Idempotency-Key` was used for
            another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create(email=email, options=options),
        )

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.ForwardingAddress:
        """
        Returns one forwarding address.

        :param id: Id of the forwarding address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get(id, options=options),
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Removes the forwarding address and every rule that uses it.

        :param id: Id of the forwarding address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete(id, options=options),
        )

    async def resend_verification(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Sends a new verification link; the previous one becomes invalid. Allowed only while the address is not
        verified, once a minute and five times in 24 hours; more often, the answer is 429. Takes no body.

        :param id: Id of the forwarding address.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The forwarding address is verified already, or the `Idempotency-Key` was used for
            another request.
        """
        return await self.run(
            lambda sync: sync.resend_verification(id, options=options),
        )


class AsyncAnalyticsOperations(AsyncResource[resources.AnalyticsOperations]):
    """Counters of the account."""

    async def get(self, *, options: RequestOptions | None = None) -> types.Analytics:
        """
        Returns six counters, without a `data` wrapper.

        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return await self.run(
            lambda sync: sync.get(options=options),
        )

    def daily(
        self,
        *,
        days: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.AnalyticsDay]:
        """
        Returns how many emails were received and sent on each of the last days (UTC), the oldest first.

        :param days: How many days, today included.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.daily(days=days, options=options),
        )


class AsyncAuditLogsOperations(AsyncResource[resources.AuditLogsOperations]):
    """The record of every authenticated call of the API."""

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        action: str | None = None,
        is_change: bool | None = None,
        result: Literal['succeeded', 'refused', 'failed'] | None = None,
        resource_id: str | None = None,
        caller: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.AuditLog]:
        """
        Lists the authenticated calls of the API, newest first, refused ones included. Calls over the rate limit are
        counted: one record for each key and operation, written when the minute is over. So are reads and refused
        calls beyond 300 a minute and account, and all reads by a session or a share link. Each change has a record of
        its own. With a filter, `total` counts at most 1,000.

        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :param action: Only calls of this operation, or of all whose names begin with this text and a dot, such as
            `emails`.
        :param is_change: Only calls that change something, when true; only reads, when false.
        :param result: Only calls that were answered with a status below 400, from 400 to 499, or from 500 on.
        :param resource_id: Only calls for the resource of this id.
        :param caller: Only calls with the key of this id; `session` for those of the dashboard.
        :param since: Only calls that ended at this time or later.
        :param until: Only calls that ended before this time.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(
                limit=limit,
                offset=offset,
                before=before,
                action=action,
                is_change=is_change,
                result=result,
                resource_id=resource_id,
                caller=caller,
                since=since,
                until=until,
                options=options,
            ),
        )


class AsyncTestOperations(AsyncResource[resources.TestOperations]):
    """Operations for test keys only."""

    async def create_email(
        self,
        *,
        to: str,
        from_: str | None = None,
        subject: str | None = None,
        text: str | None = None,
        html: str | None = None,
        raw: str | None = None,
        options: RequestOptions | None = None,
    ) -> types.EmailReference:
        """
        Puts an email in a test-mode mailbox, as if it had come over SMTP: it is parsed, shown, forwarded and
        announced. Give either its parts or its whole source, `raw`. A live key has no test-mode mailbox, so it gets
        404. The request has at most 1 MiB; longer mail takes the way over SMTP.

        :param to: The test-mode address that receives it.
        :param from_: The sender, one line, with a name or without. Omitted, `test@example.com`.
        :param subject: The subject, one line. Omitted, none.
        :param text: The plain-text body.
        :param html: The HTML body.
        :param raw: The source, header and body. Its line ends become CRLF.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: An SMTP fault of the address refuses the email (`PUT
            /api/v1/addresses/{id}/smtp-faults`), or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create_email(
                to=to,
                from_=from_,
                subject=subject,
                text=text,
                html=html,
                raw=raw,
                options=options,
            ),
        )


class AsyncWebhooksOperations(AsyncResource[resources.WebhooksOperations]):
    """Subscriptions that push events to a server of yours."""

    def list(self, *, options: RequestOptions | None = None) -> AsyncList[types.Webhook]:
        """
        Lists all webhooks of the account, newest first, without their secrets.

        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(options=options),
        )

    async def create(
        self,
        *,
        url: str,
        events: Sequence[types.WebhookEvent],
        secret: str | None = None,
        form: types.WebhookForm | None = None,
        address_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> types.WebhookCreated:
        """
        Subscribes a URL to events. The secret that signs the deliveries is returned here and never again.

        An event is posted right after it occurred. Any 2xx answer within 15 seconds is a success; redirects are
        failures. A delivery that fails is tried again after 1 minute, 5 minutes, 30 minutes and 2 hours, to the
        second; an answer 429 or 503 with `Retry-After` can ask for a longer pause, of 2 hours at most. After five
        failures in a row for one event the webhook is disabled, unless another delivery of it has succeeded since the
        first.

        A URL has one webhook. Of several webhooks at a host, or at names below one domain, the first gets an event at
        once, the others ten a second.

        :param url: Where events are posted, an https URL that the public can reach. Private addresses and http are
            refused unless the operator of the server allows them.
        :param events: The events to subscribe to, 1 to 10. Duplicates are ignored.
        :param secret: The secret that signs deliveries: 8 to 200 characters, none of them a control character.
            Omitted, `whsec_` and 32 random bytes in base64.
        :param address_ids: Only events of these addresses, 1 to 100. None or omitted, those of all.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: There are 100 webhooks already, a webhook has this URL, or the `Idempotency-Key` was
            used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create(
                url=url,
                events=events,
                secret=secret,
                form=form,
                address_ids=address_ids,
                options=options,
            ),
        )

    async def get(self, id: str, *, options: RequestOptions | None = None) -> types.Webhook:
        """
        Returns one webhook, without its secret.

        :param id: Id of the webhook.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return await self.run(
            lambda sync: sync.get(id, options=options),
        )

    async def update(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[types.WebhookEvent] | None = None,
        form: types.WebhookForm | None = None,
        address_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
        is_active: bool | None = None,
        options: RequestOptions | None = None,
    ) -> types.Webhook:
        """
        Changes the members that are given, at least one. `is_active: True` switches a disabled webhook on again and
        starts its count of failures anew. `form` holds for the events from then on: the deliveries of earlier ones
        keep theirs.

        :param id: Id of the webhook.
        :param url: Where events are posted, an https URL that the public can reach. Private addresses and http are
            refused unless the operator of the server allows them.
        :param events: The events to subscribe to, 1 to 10. Duplicates are ignored.
        :param address_ids: Only events of these addresses, 1 to 100. None or omitted, those of all.
        :param is_active: True switches the webhook on again, false off.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: Another webhook has this URL, or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.update(
                id,
                url=url,
                events=events,
                form=form,
                address_ids=address_ids,
                is_active=is_active,
                options=options,
            ),
        )

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Removes the webhook. Deliveries that wait for another attempt are dropped.

        :param id: Id of the webhook.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.delete(id, options=options),
        )

    async def test(self, id: str, *, options: RequestOptions | None = None) -> types.WebhookDelivery:
        """
        Delivers a made-up event of the first kind that the webhook is subscribed to, with ids of nothing that exists.
        The list of deliveries shows its outcome. It is tried once, and its failure never disables the webhook. Takes
        no body.

        :param id: Id of the webhook.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.test(id, options=options),
        )

    async def rotate_secret(self, id: str, *, options: RequestOptions | None = None) -> types.WebhookCreated:
        """
        Makes a new secret, shown here and never again. For 24 hours the old one signs too: `webhook-signature` has
        both signatures, `X-Service-Signature` that of the old secret until then. Takes no body.

        :param id: Id of the webhook.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.rotate_secret(id, options=options),
        )

    def deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[types.WebhookDelivery]:
        """
        Lists every attempt to deliver an event, made or planned, newest first. `total` counts at most 1,000;
        `has_more` is exact.

        :param id: Id of the webhook.
        :param limit: Size of a page, 1 to 100.
        :param offset: Number of items to skip, at most 10,000. To read further, give `before`.
        :param before: Only items that are older than this one, in the order of the list. Give the id of the last item
            of a page to get the next one. `total` counts the newer ones too.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        """
        return self._list(
            lambda sync: sync.deliveries(id, limit=limit, offset=offset, before=before, options=options),
        )

    async def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.WebhookDelivery:
        """
        Delivers the event of a delivery once more, under its own event id and a new delivery id. It is tried once,
        and its failure never disables the webhook. Takes no body.

        :param id: Id of the webhook.
        :param delivery_id: Id of a delivery.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.redeliver(id, delivery_id, options=options),
        )


class AsyncApiKeysOperations(AsyncResource[resources.ApiKeysOperations]):
    """API keys, managed in the dashboard."""

    def list(self, *, options: RequestOptions | None = None) -> AsyncList[types.ApiKey]:
        """
        Lists the API keys of the account that are valid, live and test keys, newest first, without their values. A
        key sees itself and the keys that it made.

        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        """
        return self._list(
            lambda sync: sync.list(options=options),
        )

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[types.Scope],
        mode: Literal['live', 'test'] | None = None,
        dialect: Literal['primary', 'classic'] | None = None,
        bounds: Mapping[str, object] | None = None,
        expires_in: int | None = None,
        options: RequestOptions | None = None,
    ) -> types.ApiKeyCreated:
        """
        Creates a key. Its value is in this answer and in no later one; only a hash of it is stored. Needs the
        Business plan. An account has at most 100 valid keys.

        A key makes keys that can do at most what it can: `scopes` that it has, its mode, an end not after its own,
        and bounds within its own. What is left out is that of the key that makes it.

        :param name: A name that tells its use.
        :param scopes: The operations that the key may call, by scope.
        :param mode: `live` for production data, `test` for test data. Default: `live`, or the mode of the key that
            makes it.
        :param dialect: The dialect of the API that its requests speak unless they name one by `X-Mayfly-Dialect`.
        :param expires_in: Seconds after which the key ends. Without it the key has no end, or that of the key that
            makes it.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises ConflictError: There are 100 keys already, or the `Idempotency-Key` was used for another request.
        :raises InvalidRequestError: The body is larger than 1 MiB.
        """
        return await self.run(
            lambda sync: sync.create(
                name=name,
                scopes=scopes,
                mode=mode,
                dialect=dialect,
                bounds=bounds,
                expires_in=expires_in,
                options=options,
            ),
        )

    async def revoke(self, id: str, *, options: RequestOptions | None = None) -> types.Message:
        """
        Revokes a key, with all keys that it made. The next request with one of them is refused, and none can be
        restored. A key may revoke itself and the keys that it made.

        :param id: Id of the API key.
        :raises InvalidRequestError: A parameter or the body breaks a rule of this document, or is not named by it.
        :raises NotFoundError: Nothing of this account has this id.
        :raises ConflictError: The `Idempotency-Key` was used for another request, or the object that the first
            request changed was deleted.
        """
        return await self.run(
            lambda sync: sync.revoke(id, options=options),
        )
