<?php
// Sends the mail with PHPMailer, and requires TLS.
require '/usr/share/php/libphp-phpmailer/autoload.php';

$mail = new PHPMailer\PHPMailer\PHPMailer(true);
$mail->isSMTP();
$mail->Host = getenv('MAIL_HOST');
$mail->Port = (int) getenv('MAIL_PORT');
$mail->SMTPAuth = true;
$mail->Username = getenv('MAIL_USERNAME');
$mail->Password = getenv('MAIL_PASSWORD');
$mail->SMTPSecure = getenv('MAIL_SECURITY') === 'tls' ? 'ssl' : 'tls'; // its names of implicit TLS and STARTTLS
$mail->SMTPOptions = ['ssl' => ['cafile' => getenv('MAIL_CA')]];
$mail->setFrom('app@shop.example');
$mail->addAddress('ada@customer.example');
$mail->addAddress('grace@customer.example');
$mail->addCC('team@other.example');
$mail->addBCC('audit@hidden.example');
$mail->addBCC('log@hidden.example');
$mail->Subject = getenv('MAIL_SUBJECT');
$mail->Body = 'Your code is 482913.';
$mail->send();
